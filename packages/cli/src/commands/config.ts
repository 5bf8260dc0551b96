import type { Command } from 'commander';
import { EXIT_CODES } from '../exit-codes.ts';
import { columns, print } from '../output.ts';

/** `seathold config`: prints every setting, its value and where it comes from, and all problems. */
export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('Check all settings and print them. Secrets are hidden.')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { describeConfig, findConfigProblems } = await import('@seathold/server/operator/check-settings');
      const settings = describeConfig(process.env);
      const problems = findConfigProblems(process.env);
      const lines = columns(
        settings.map((each) => [
          each.name,
          `${each.value ?? '(not set)'}${each.source === 'default' ? '' : `  [${each.source}]`}`,
        ]),
      );
      print(options.json === true, { settings, problems }, lines);
      if (problems.length > 0) {
        process.stderr.write(`${problems.map(({ name, problem }) => `seathold: ${name} ${problem}`).join('\n')}\n`);
        process.exitCode = EXIT_CODES.config;
      }
    });
}
