import { expect } from 'vitest';
import { Command, type SeatCommand } from './seat-command.ts';
import type { SeatModel } from './seat-model.ts';
import { KEYED, MAX_ACTIVATIONS, type SeatWorld } from './seat-world.ts';

interface ActivationAsked {
  machine: number;
  app: number;
}

/**
 * A machine activates the license that allows it. After another activation it has a new token, and the old one is
 * invalid.
 */
export class Activate extends Command implements SeatCommand {
  readonly ask: ActivationAsked;

  constructor(ask: ActivationAsked) {
    super();
    this.ask = ask;
  }

  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    const { machine, app } = this.ask;
    const license = model.licenses[KEYED];
    if (license === undefined) {
      return;
    }
    const ofLicense = model.activations.filter((each) => each.license === license);
    const own = ofLicense.find((each) => each.machine === machine);
    const isFull = own === undefined && ofLicense.length >= MAX_ACTIVATIONS;
    const refusal = model.licenseRefusal(license) ?? (isFull ? 'activation_limit_reached' : undefined);
    const answer = await world.activate(license, machine, app);
    expect(answer.body.error?.code, JSON.stringify(answer.body)).toBe(refusal);
    if (refusal === undefined) {
      const { activation_id: id, activation_token: token } = answer.body.data;
      expect(id).toBe(own?.id ?? id);
      expect(answer.status).toBe(own === undefined ? 201 : 200);
      if (own === undefined) {
        model.activations.push({ id, license, machine });
      }
      await world.replaceToken(id, token);
    }
    await world.expectEvents(model, []);
  }
}

/** The admin revokes the activation of a machine. */
export class Deactivate extends Command implements SeatCommand {
  readonly ask: ActivationAsked;

  constructor(ask: ActivationAsked) {
    super();
    this.ask = ask;
  }

  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    const activation = model.activations.find((each) => each.machine === this.ask.machine);
    if (activation === undefined) {
      return;
    }
    expect((await world.deactivate(activation, this.ask.app)).status).toBe(204);
    await world.expectEvents(model, model.deactivate(activation));
  }
}
