import { type Bench, inRounds, makeFigure } from './rig/figure.ts';
import { measureHashing } from './rig/hashing.ts';
import type { LoadPlan } from './rig/load-plan.ts';
import { withGenerator, withInstallation } from './rig/stage.ts';

/** More accounts than connections: logins of one account at once are slowed down on purpose. */
const ACCOUNTS = 64;

/** `POST /v1/auth/login`, whole, against the one Argon2id hash in it that nothing can take away. */
export const login: Bench = {
  name: 'login',
  measure: (options) =>
    withInstallation(
      options,
      { licenses: 4, seatsPerLicense: 1, heldPerLicense: 0, endedPerLicense: 0 },
      ({ service, accounts }) =>
        withGenerator(options, async (generator) => {
          const plan: LoadPlan = {
            kind: 'logins',
            accounts: accounts.map(({ email, password }) => ({ email, password })),
          };
          const rounds = await inRounds(options, async () => ({
            ours: await generator.run(service.target, plan),
            limit: await measureHashing(options.seconds),
          }));
          const about = { name: 'POST /v1/auth/login', unit: '/s', limitIs: 'bare Argon2id check', bar: 0.85 };
          return [
            makeFigure(
              { ...about, notes: [generator.costNote([service.target, plan], [service.target, plan]), generator.note] },
              rounds,
            ),
          ];
        }),
      ACCOUNTS,
    ),
};
