import type fc from 'fast-check';
import type { SeatModel } from './seat-model.ts';
import type { ModelLicense, ModelSession } from './seat-model-types.ts';
import type { SeatWorld } from './seat-world.ts';

/** Something that can happen to seats. A command for a license, session or wait that does not exist is skipped. */
export type SeatCommand = fc.AsyncCommand<SeatModel, SeatWorld>;

export abstract class Command {
  check(): boolean {
    return true;
  }

  toString(): string {
    return `${this.constructor.name} ${JSON.stringify(this)}`;
  }
}

export function licenseAt(model: SeatModel, position: number): ModelLicense {
  const license = model.licenses[position % model.licenses.length];
  if (license === undefined) {
    throw new Error('the model has no license');
  }
  return license;
}

export function sessionAt(model: SeatModel, position: number): ModelSession | undefined {
  return model.sessions.at(-1 - (position % Math.max(1, model.sessions.length)));
}
