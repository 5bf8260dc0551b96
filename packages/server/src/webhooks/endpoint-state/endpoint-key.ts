/** The key of an endpoint's rows. */
export interface EndpointKey {
  organization_id: string;
  endpoint_id: string;
}

/** The key as one text, for maps. */
export function keyOf({ organization_id: organization, endpoint_id: endpoint }: EndpointKey): string {
  return `${organization} ${endpoint}`;
}

/** One endpoint, as statement parameters. */
export function idsOf(key: EndpointKey): { organizationId: string; endpointId: string } {
  return { organizationId: key.organization_id, endpointId: key.endpoint_id };
}

/**
 * Many endpoints, as statement parameters: two arrays instead of a recordset, because PostgreSQL expects a hundred rows
 * of any JSON and then reads whole tables where it should look up a few keys.
 */
export function columnsOf(keys: readonly EndpointKey[]): { organizationIds: string[]; endpointIds: string[] } {
  return {
    organizationIds: keys.map((each) => each.organization_id),
    endpointIds: keys.map((each) => each.endpoint_id),
  };
}
