import { type CountedResource, ResourceMemory } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { acquiresAMinute, STANDINGS } from '../seats/count-by-session.ts';

/** Counts the requests of waiting programs per wait, so that any number of programs can wait with one token. */
export function countByWait(tools: Pick<LicensingTools, 'seatTotals'>): CountedResource {
  return {
    limit: 'wait',
    idOf: (_rawBody, { wait_id: id = '' }) => (WAIT_ID.test(id) ? id : undefined),
    standingOf: (code) => STANDINGS[code],
    memory: new ResourceMemory(),
    endedAtLeast: ({ organizationId }) => acquiresAMinute(tools, organizationId),
  };
}

const WAIT_ID = new RegExp(idPattern('seatWait'));
