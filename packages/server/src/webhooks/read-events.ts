import { isoTime } from '../clock/index.ts';
import type { EventDefinition } from '../events/index.ts';
import {
  type Answer,
  type AuthorizedContext,
  type ListPage,
  notFound,
  type PageRequest,
  toPage,
} from '../http/index.ts';
import { type EventRow, FIND_EVENT, listEvents } from './queries.ts';

/** The organization's events, a page at a time. */
export async function readEvents(context: AuthorizedContext, page: PageRequest): Promise<ListPage<unknown>> {
  const { organizationId } = context.principal;
  const rows = await context.database.run(listEvents(organizationId, page));
  return toPage(
    rows,
    page,
    (row) => ({ value: isoTime(row.created.getTime()), id: row.id }),
    (row) => present(organizationId, row),
  );
}

/** One event, in the form in which webhooks carry it. */
export async function readEvent(context: AuthorizedContext, id: string): Promise<Answer<unknown>> {
  const { organizationId } = context.principal;
  const [row] = await context.database.query(FIND_EVENT, [organizationId, id]);
  if (row === undefined) {
    throw notFound('event');
  }
  return { data: present(organizationId, row) };
}

/** Every type of event that this service sends, by name. */
export function readEventTypes(catalogue: readonly EventDefinition[], page: PageRequest): ListPage<unknown> {
  const direction = page.descending ? -1 : 1;
  const { after } = page;
  const rows = catalogue
    .toSorted((one, other) => direction * compare(one.type, other.type))
    .filter((each) => after === undefined || direction * compare(each.type, after.id) > 0)
    .slice(0, page.limit + 1);
  return toPage(
    rows,
    page,
    (each) => ({ value: each.type, id: each.type }),
    ({ type, description, schema, example }) => ({ type, description, schema, example }),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The envelope of service.md "Events". */
function present(organizationId: string, row: EventRow) {
  return {
    id: row.id,
    type: row.type,
    created: isoTime(row.created.getTime()),
    data: { object: row.object },
    organization_id: organizationId,
  };
}
