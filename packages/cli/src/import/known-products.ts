import { NotFoundError, type Product, type Seathold } from '@seathold/client';
import type { Pace } from './pace.ts';
import { RowRefused } from './row-refused.ts';
import type { LicenseRow } from './row-schemas.ts';

/** The existing products, each requested once. */
export class KnownProducts {
  readonly #client: Seathold;
  readonly #pace: Pace;
  readonly #known = new Map<string, Promise<Product | undefined>>();

  constructor(client: Seathold, pace: Pace) {
    this.#client = client;
    this.#pace = pace;
  }

  /** Throws RowRefused for an unknown product, and for a feature that it does not have. */
  async requireFor({ product: key, features = {} }: LicenseRow): Promise<void> {
    const finding = this.#known.get(key) ?? this.#find(key);
    this.#known.set(key, finding);
    const product = await finding;
    if (product === undefined) {
      throw new RowRefused('product', `There is no product ${JSON.stringify(key)}.`);
    }
    const unknown = Object.keys(features).find(
      (name) => !Object.hasOwn(product.features, name) && !STANDARD_FEATURES.includes(name),
    );
    if (product.source === 'declared' && unknown !== undefined) {
      throw new RowRefused(`features.${unknown}`, `features.${unknown} is not a feature of ${key}.`);
    }
  }

  async #find(key: string): Promise<Product | undefined> {
    try {
      return await this.#pace.send(() => this.#client.operator.getProduct(key));
    } catch (error) {
      if (error instanceof NotFoundError) {
        return undefined;
      }
      throw error;
    }
  }
}

/** The features that every license has, regardless of its product. */
export const STANDARD_FEATURES: readonly string[] = [
  'ai_assistance',
  'cloud_workstations',
  'team_collaboration',
  'priority_support',
];
