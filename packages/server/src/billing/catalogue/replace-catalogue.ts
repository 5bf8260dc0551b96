import { isUtf8 } from 'node:buffer';
import { INSTALLATION, recordAudit, staffActorOf } from '../../audit/index.ts';
import { type Answer, type AuthorizedContext, httpError, invalidRequest } from '../../http/index.ts';
import { type ApplyOptions, applyCatalogue } from './apply-catalogue.ts';
import { type Catalogue, type CatalogueFault, CatalogueRefused, InvalidCatalogue } from './catalogue.ts';
import type { CatalogueChange } from './compare-catalogues.ts';
import { parseCatalogue } from './parse-catalogue.ts';
import type { CatalogueDifference } from './schemas.ts';

/** The dependencies of replacing the catalogue. */
export type CatalogueTools = Pick<Required<ApplyOptions>, 'listUsedMeters' | 'listUsedFeatures' | 'heartbeats'>;

/**
 * Applies a catalogue file, YAML or JSON, and returns the difference; with `dryRun`, only returns it. Throws
 * validation_failed for an invalid file, and conflict if it would change what was sold.
 */
export async function replaceCatalogue(
  context: AuthorizedContext,
  { listUsedMeters, listUsedFeatures, heartbeats }: CatalogueTools,
  { file, dryRun }: { file: Buffer; dryRun: boolean },
): Promise<Answer<CatalogueDifference>> {
  const catalogue = readCatalogue(file);
  try {
    const changes = await applyCatalogue(context.database, catalogue, {
      dryRun,
      listUsedMeters,
      listUsedFeatures,
      heartbeats,
      record: (tx, applied) =>
        recordAudit(tx, staffActorOf(context, INSTALLATION), {
          action: 'catalogue.applied',
          targetType: 'catalogue',
          targetId: 'catalogue',
          after: summarizeChanges(applied),
        }),
    });
    return { data: { dry_run: dryRun, changes: changes.map((change) => ({ ...change, fields: [...change.fields] })) } };
  } catch (error) {
    throw toApiError(error);
  }
}

/** The fault may be in the file itself, or between it and products that it no longer lists. */
function toApiError(error: unknown): unknown {
  if (error instanceof InvalidCatalogue) {
    const field = error.problems[0]?.name ?? 'the file';
    return httpError('validation_failed', messageOf(error), { details: { field, reason: 'format' } });
  }
  return error instanceof CatalogueRefused ? httpError('conflict', messageOf(error)) : error;
}

/** For a large catalogue, the audit log records the first changes and the total number. */
export function summarizeChanges(changes: readonly CatalogueChange[]) {
  return { count: changes.length, changes: changes.slice(0, MOST_TOLD) };
}

const MOST_TOLD = 100;

function readCatalogue(file: Buffer): Catalogue {
  if (file.length === 0) {
    throw invalidRequest('', 'required', 'Send the catalogue as the body.');
  }
  if (!isUtf8(file)) {
    throw invalidRequest('', 'malformed', 'The body is not valid UTF-8.');
  }
  try {
    // Every JSON text is also YAML 1.2.
    return parseCatalogue(file.toString());
  } catch (error) {
    throw toApiError(error);
  }
}

function messageOf({ message, problems }: Error & { problems: readonly CatalogueFault[] }): string {
  const told = problems.slice(0, MOST_TOLD).map(({ name, problem }) => `${name} ${problem}`);
  return `${message} ${told.join('; ')}.`;
}
