import { type Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from '../../operator/options.ts';
import { parseFeature } from '../../parse-feature.ts';
import { addPair } from '../../parse-pair.ts';
import { parseTime } from '../../parse-time.ts';

/** The options of both issuing and updating. */
export interface TermOptions {
  feature?: ReadonlyArray<ReturnType<typeof parseFeature>>;
  externalId?: string;
  metadata?: Readonly<Record<string, string>>;
  policy?: Readonly<Record<string, string>>;
}

export const parseSeats = wholeNumber(1, 100_000);

/** Adds the options for the terms of a license. */
export function addTermOptions(command: Command): Command {
  return command
    .option(
      '--feature <feature...>',
      'features: a name or name=value, for example ai_assistance, projects=20, or edition=studio',
      (text: string, before: TermOptions['feature'] = []) => [...before, parseFeature(text)],
    )
    .option('--external-id <id>', 'your own name for the license, unique in its organization')
    .option('--metadata <name=value...>', 'your own data, which the customer does not see', addPair)
    .option(
      '--policy <name=value...>',
      'the policy that the license sets itself, for example session_timeout=600 or allowed_users=usr_…,usr_…; empty to inherit again',
      addPair,
    );
}

/** Every license has these keys, true or false (service.md "License"). */
export const FEATURES_OF_ALL = ['ai_assistance', 'cloud_workstations', 'team_collaboration', 'priority_support'];

/** Null for never. */
export function parseExpiry(text: string): string | null {
  return text === 'never' ? null : parseTime(text);
}

export function productName(text: string): string {
  if (text.trim() === '' || text.length > 100) {
    throw new InvalidArgumentError('It must be 1 to 100 characters.');
  }
  return text.trim();
}
