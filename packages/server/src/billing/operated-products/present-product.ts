import { isoTime } from '../../clock/index.ts';
import type { StoredProduct } from '../products/queries.ts';
import type { Product } from './schemas.ts';

/** A product as staff see it. */
export function presentProduct({ created_at, updated_at, ...product }: StoredProduct): Product {
  return {
    ...product,
    features: { ...product.features },
    created_at: isoTime(created_at.getTime()),
    updated_at: isoTime(updated_at.getTime()),
  };
}
