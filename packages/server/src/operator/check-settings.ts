import { type Environment, loadConfig } from '../config/index.ts';
import { findCertificateProblems, readHttpSettings } from '../http/index.ts';
import { parseWebhookSettings } from '../webhooks/index.ts';

export { describeConfig } from '../config/index.ts';

/** The problems of the settings, by name: those for which the service would not start. */
export function findConfigProblems(environment: Environment): ReadonlyArray<{ name: string; problem: string }> {
  return [...loadConfig(environment).problems, ...findSpecialProblems(environment)];
}

/** Those of the settings that rooms read themselves. */
export function findSpecialProblems(environment: Environment): ReadonlyArray<{ name: string; problem: string }> {
  return [
    ...readHttpSettings(environment).problems,
    ...findCertificateProblems(environment),
    ...parseWebhookSettings(environment).problems,
  ];
}
