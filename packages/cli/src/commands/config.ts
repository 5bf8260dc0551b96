import type { Command } from 'commander';
import { EXIT_CODES } from '../exit-codes.ts';
import { columns, print } from '../output.ts';

/** `seathold config`: prints every setting, its value and source, all problems, and unknown names. */
export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('Check all settings and print them. Secrets are hidden.')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { describeConfig, findConfigProblems, findUnknownSettings } = await import(
        '@seathold/server/operator/check-settings'
      );
      const settings = describeConfig(process.env);
      const problems = findConfigProblems(process.env);
      const unknown = findUnknownSettings(process.env).filter((name) => !OF_COMMANDS.includes(name));
      const lines = columns(
        settings.map((each) => [
          each.name,
          `${each.value ?? '(not set)'}${each.source === 'default' ? '' : `  [${each.source}]`}`,
        ]),
      );
      print(options.json === true, { settings, problems, unknown }, lines);
      for (const name of unknown) {
        process.stderr.write(`seathold: ${name} is not a setting, and has no effect\n`);
      }
      if (problems.length > 0) {
        process.stderr.write(`${problems.map(({ name, problem }) => `seathold: ${name} ${problem}`).join('\n')}\n`);
        process.exitCode = EXIT_CODES.config;
      }
    });
}

/** Variables that only commands read. */
const OF_COMMANDS = ['SEATHOLD_URL', 'SEATHOLD_OPERATOR_TOKEN', 'SEATHOLD_TOKEN', 'SEATHOLD_WEBHOOK_SECRET'];
