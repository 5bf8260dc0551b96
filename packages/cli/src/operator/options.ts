import { type Command, InvalidArgumentError, Option } from 'commander';

/** The target and output options of an operator command. */
export interface OperatorOptions {
  url?: string;
  caFile?: string;
  tokenStdin?: boolean;
  sandbox?: boolean;
  json?: boolean;
}

/** The options of every list besides its filters. */
export interface ListOptions extends OperatorOptions {
  limit: number;
  all?: boolean;
}

/** The heading of the options below in the help. */
export const PLACE_HEADING = 'Where it works:';

/** Adds the options of a command that works on the server, or remotely with `--url`. */
export function addOperatorOptions(command: Command): Command {
  const options = [
    new Option('--url <url>', 'the URL of the service (default: SEATHOLD_URL, else the service on this server)'),
    new Option('--ca-file <file>', 'a PEM file with the private certificate authority of the service'),
    new Option('--token-stdin', 'read the operator token from standard input instead of SEATHOLD_OPERATOR_TOKEN'),
    new Option('--sandbox', 'on the server: use the sandbox instead of production'),
  ];
  command.option('--json', 'print JSON');
  for (const option of options) {
    command.addOption(option.helpGroup(PLACE_HEADING));
  }
  return command;
}

/** Adds those of a list. */
export function addListOptions(command: Command): Command {
  return addOperatorOptions(
    command
      .addOption(new Option('--limit <number>', 'how many to show').argParser(wholeNumber(1, 100_000)).default(20))
      .addOption(new Option('--all', 'show all').conflicts('limit')),
  );
}

/** Adds `--watch`, which refreshes the output. */
export function addWatchOption(command: Command): Command {
  return command.addOption(
    new Option('--watch [seconds]', 'refresh every this many seconds until Ctrl-C')
      .argParser(wholeNumber(1, 3_600))
      .preset('5'),
  );
}

/** A parser of whole numbers in a range. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number between ${min} and ${max}.`);
    }
    return value;
  };
}

/** The given values: the client accepts an absent filter, but not an undefined one. */
export function given<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> };
export function given(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
