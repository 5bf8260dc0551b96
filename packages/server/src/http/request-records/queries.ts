import { arrays, count, maybeOne, milliseconds, statement } from '../../database/index.ts';

/** A request record as stored. Times in milliseconds. */
export interface RequestRow {
  id: string;
  at_ms: number;
  method: string;
  route: string | null;
  status: number;
  code: string | null;
  duration_ms: number;
  organization_id: string | null;
  user_id: string | null;
}

export const insertRequestRecords = statement({
  name: 'insert_request_records',
  parameters: {
    requests: arrays({
      id: 'text',
      at_ms: 'float8',
      method: 'text',
      route: 'text | null',
      status: 'integer',
      code: 'text | null',
      duration_ms: 'integer',
      organization_id: 'text | null',
      user_id: 'text | null',
    }),
  },
  sql: ({ requests }) => `
    insert into request_records (id, at, method, route, status, code, duration_ms, organization_id, user_id)
    select id, to_timestamp(at_ms / 1000), method, route, status, code, duration_ms, organization_id, user_id
    from ${requests} on conflict (id) do nothing`,
});

export const findRequestRecord = statement({
  name: 'find_request_record',
  parameters: { id: 'text' },
  returns: maybeOne<RequestRow>(),
  sql: ({ id }) => `
    select id, ${milliseconds('at')} as at_ms, method, route, status, code, duration_ms, organization_id, user_id
    from request_records where id = ${id}`,
});

/** Deletes the oldest records before an identifier; counts them. */
export const deleteOldRequestRecords = statement({
  name: 'delete_old_request_records',
  parameters: { before: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `
    delete from request_records where id = any(array(
      select id from request_records where id < ${before} order by id limit ${limit}
    ))`,
});
