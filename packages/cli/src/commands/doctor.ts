import type { Command } from 'commander';
import { EXIT_CODES } from '../exit-codes.ts';
import { print } from '../output.ts';

/** `seathold doctor`: looks at settings, databases, the seats themselves and mail. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'Check settings, databases, keys, seat counts and mail, beside a running service or with none running.',
    )
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { examineInstallation } = await import('@seathold/server/operator');
      const findings = await examineInstallation(process.env);
      print(
        options.json === true,
        findings,
        findings.map(({ check, ok, detail }) => `${ok ? 'ok   ' : 'FAULT'}  ${check}: ${detail}`),
      );
      process.exitCode = findings.every((each) => each.ok) ? EXIT_CODES.ok : EXIT_CODES.failure;
    });
}
