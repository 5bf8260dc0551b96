import { Compile, type Validator } from 'typebox/compile';
import { many, type Queries, statement } from '../../src/database/index.ts';
import type { EventDefinition } from '../../src/events/index.ts';
import { idPattern } from '../../src/ids/index.ts';

/**
 * Throws if an event was written whose type is not in the catalogue, or is only planned there, or whose object does not
 * match the schema of its type. Events that a test invents under an organization that cannot exist are not the
 * service's, and are ignored.
 */
export async function requireFittingEvents(database: Queries, catalogue: readonly EventDefinition[]): Promise<void> {
  const definitions = new Map(catalogue.map((each) => [each.type, each]));
  const rows = await listNewestEvents(database, { realIds: idPattern('organization') });
  const complaints = rows.flatMap((row) => complaintsOf(row, definitions.get(row.type)));
  if (complaints.length > 0) {
    throw new Error(`events were written that do not match the catalogue:\n${complaints.slice(0, 10).join('\n')}`);
  }
}

interface WrittenEvent {
  id: string;
  type: string;
  object: Record<string, unknown>;
}

/** The newest of each type, however many events of other types a test creates. */
const listNewestEvents = statement({
  name: 'test_list_newest_events',
  parameters: { realIds: 'text' },
  returns: many<WrittenEvent>(),
  sql: ({ realIds }) => `
    select id, type, object from (
      select id, type, object, row_number() over (partition by type order by id desc) as age
      from events where organization_id ~ ${realIds}
    ) newest where age <= 1000`,
});

function complaintsOf({ id, type, object }: WrittenEvent, definition: EventDefinition | undefined): string[] {
  const name = `${type} ${id}`;
  if (definition === undefined) {
    return [`${name}: there is no such type`];
  }
  const planned =
    definition.isPlanned === true ? [`${name}: the type is marked as planned, so take the mark away`] : [];
  const validator = validatorOf(definition);
  const errors = validator.Check(object) ? [] : [`${name}: ${JSON.stringify(validator.Errors(object))}`];
  return [...planned, ...errors];
}

/** Compiled once for all apps of a test file. */
const validators = new WeakMap<EventDefinition, Validator>();

function validatorOf(definition: EventDefinition): Validator {
  const validator = validators.get(definition) ?? Compile(definition.schema);
  validators.set(definition, validator);
  return validator;
}
