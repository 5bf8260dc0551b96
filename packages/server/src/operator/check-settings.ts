import { type Environment, loadConfig } from '../config/index.ts';
import { findCertificateProblems, readHttpSettings } from '../http/index.ts';
import { parseWebhookSettings } from '../webhooks/index.ts';

export { describeConfig } from '../config/index.ts';

/** The problems that keep the service from starting, by setting. */
export function findConfigProblems(environment: Environment): ReadonlyArray<{ name: string; problem: string }> {
  return [...loadConfig(environment).problems, ...findSpecialProblems(environment)];
}

/** Variables that look like settings of the service but are not. */
export function findUnknownSettings(environment: Environment): readonly string[] {
  return loadConfig(environment).warnings;
}

/** The problems of settings that rooms read themselves. */
export function findSpecialProblems(environment: Environment): ReadonlyArray<{ name: string; problem: string }> {
  return [
    ...readHttpSettings(environment).problems,
    ...findCertificateProblems(environment),
    ...parseWebhookSettings(environment).problems,
  ];
}
