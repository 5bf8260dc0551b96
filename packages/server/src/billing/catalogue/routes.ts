import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route, StreamedAnswer } from '../../http/index.ts';
import { getCatalogue } from './get-catalogue.ts';
import { type CatalogueTools, replaceCatalogue } from './replace-catalogue.ts';
import { Catalogue, CatalogueDifference } from './schemas.ts';
import { fileOf, writeCatalogue } from './write-catalogue.ts';

/** The endpoints at /v1/operator/catalog. */
export function catalogueRoutes(tools: CatalogueTools): Route[] {
  return [GET_CATALOGUE, replaceRoute(tools)];
}

/** A file that can be applied as it is. */
export const CATALOGUE_EXAMPLE = {
  plans: [
    {
      key: 'starter',
      name: 'Starter',
      description: 'For small studios.',
      price: 2_900,
      currency: 'usd',
      interval: 'month',
      tier: 'pro',
      product: 'studio',
      features: {
        seats: 10,
        ai_assistance: true,
        cloud_workstations: false,
        priority_support: false,
        sso: false,
        audit_logs: false,
        dedicated_support: false,
      },
      license_features: {
        ai_assistance: true,
        cloud_workstations: false,
        team_collaboration: true,
        priority_support: false,
      },
      included: { ai_tokens: 100_000 },
      grace: '3d',
    },
  ],
  coupons: [],
  meters: [{ name: 'ai_tokens', aggregation: 'sum' }],
};

const GET_CATALOGUE = defineRoute({
  method: 'GET',
  path: '/v1/operator/catalog',
  operationId: 'getOperatorCatalog',
  tag: 'Operator',
  summary: 'Get the catalogue',
  description:
    'Returns what is on sale as a catalogue file, with all defaults included. With `Accept: application/yaml`, the response is the YAML file itself, without an envelope.',
  access: ACCESS.staffRead,
  status: 200,
  response: Catalogue,
  errors: {},
  example: { data: CATALOGUE_EXAMPLE },
  handle: async ({ database, headers }) => {
    const catalogue = await getCatalogue(database);
    const wantsYaml = headers.accept?.includes('application/yaml') === true;
    return { data: wantsYaml ? yamlAnswer(writeCatalogue(catalogue)) : fileOf(catalogue) };
  },
});

function yamlAnswer(yaml: string): StreamedAnswer {
  async function* parts() {
    yield yaml;
  }
  return new StreamedAnswer('application/yaml; charset=utf-8', { vary: 'Accept' }, parts());
}

function replaceRoute(tools: CatalogueTools): Route {
  return defineRoute({
    method: 'PUT',
    path: '/v1/operator/catalog',
    operationId: 'replaceOperatorCatalog',
    tag: 'Operator',
    summary: 'Replace the catalogue',
    description:
      'Makes the catalogue match the file, entirely or not at all, like `seathold catalog apply`, and returns what changed. Plans and coupons that are not in the file are archived. `validation_failed` lists every mistake in the file. `conflict` lists every change that is refused because something was already sold. The body is the file as YAML or JSON.',
    access: ACCESS.staffOwn,
    query: Type.Object({
      dry_run: Type.Optional(
        Type.Enum(['true', 'false'], { description: 'With `true`, nothing is written. Defaults to `false`.' }),
      ),
    }),
    takesRawBody: true,
    takesYaml: true,
    body: Catalogue,
    status: 200,
    response: CatalogueDifference,
    errors: { conflict: HTTP_ERRORS.conflict, validation_failed: HTTP_ERRORS.validation_failed },
    example: {
      body: CATALOGUE_EXAMPLE,
      data: {
        dry_run: false,
        changes: [
          {
            kind: 'plan',
            key: 'starter',
            action: 'changed',
            fields: [{ field: 'price', before: 1_900, after: 2_900 }],
          },
        ],
      },
    },
    handle: (context, { query, rawBody }) =>
      replaceCatalogue(context, tools, { file: rawBody, dryRun: query.dry_run === 'true' }),
  });
}
