import type { Command } from 'commander';
import { EXIT_CODES } from '../exit-codes.ts';
import { print } from '../output.ts';

/** `seathold doctor`: checks settings, databases, the seats themselves and mail; with `--invariants`, all data. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Check settings, databases, keys, seat counts, and mail. Works whether or not the service is running.')
    .option('--invariants', 'check every row instead: that subscriptions, money, licenses, and events are consistent')
    .option(
      '--production',
      'check instead for settings that must not go live, such as email written to files or localhost URLs',
    )
    .option('--json', 'print JSON')
    .action(async (options: { invariants?: boolean; production?: boolean; json?: boolean }) => {
      const examine =
        options.invariants === true
          ? (await import('@seathold/server/operator/invariants/examine-installation-invariants'))
              .examineInstallationInvariants
          : options.production === true
            ? (await import('@seathold/server/operator/examine-production')).examineProduction
            : (await import('@seathold/server/operator/examine-installation')).examineInstallation;
      const findings = await examine(process.env);
      print(
        options.json === true,
        findings,
        findings.flatMap(({ check, ok, isWarning, detail, faults = [] }) => [
          `${isWarning === true ? 'WARN ' : ok ? 'ok   ' : 'FAULT'}  ${check}: ${detail}`,
          ...faults.map((fault) => `         ${fault}`),
        ]),
      );
      process.exitCode = findings.every((each) => each.ok) ? EXIT_CODES.ok : EXIT_CODES.failure;
    });
}
