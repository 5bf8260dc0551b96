import { ACCESS, defineRoute, HTTP_ERRORS, notFound, type Route } from '../../http/index.ts';
import type { CatalogueTools } from '../catalogue/replace-catalogue.ts';
import { findStoredProduct } from '../products/queries.ts';
import { presentProduct } from './present-product.ts';
import { PRODUCT_LIST } from './product-list.ts';
import { replaceProduct } from './replace-product.ts';
import { Product, ProductInput, ProductParams } from './schemas.ts';

/** The endpoints at /v1/operator/products. */
export function operatedProductRoutes(tools: CatalogueTools): Route[] {
  return [LIST, GET_ONE, replaceRoute(tools)];
}

const ONE = { tag: 'Operator', path: '/v1/operator/products/{key}', params: ProductParams } as const;

const INPUT = {
  name: 'Studio',
  features: { projects: { type: 'number', name: 'Projects' } },
  policy: { max_offline_seconds: 86_400 },
} as const;
const EXAMPLE = {
  key: 'studio',
  ...INPUT,
  source: 'declared',
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-02T09:30:00.000Z',
} as const;

const LIST = defineRoute({
  method: 'GET',
  path: '/v1/operator/products',
  operationId: 'listProducts',
  tag: 'Operator',
  summary: 'List products',
  access: ACCESS.staffRead,
  list: PRODUCT_LIST,
  status: 200,
  response: Product,
  errors: {},
  example: { data: [EXAMPLE] },
  handle: ({ database }, { page }) => PRODUCT_LIST.getPage(database, page, {}, presentProduct),
});

const GET_ONE = defineRoute({
  ...ONE,
  method: 'GET',
  operationId: 'getProduct',
  summary: 'Get a product',
  access: ACCESS.staffRead,
  status: 200,
  response: Product,
  errors: { not_found: HTTP_ERRORS.not_found },
  example: { data: EXAMPLE },
  handle: async ({ database }, { params }) => {
    const product = await findStoredProduct(database, params);
    if (product === undefined) {
      throw notFound('product');
    }
    return { data: presentProduct(product) };
  },
});

function replaceRoute(tools: CatalogueTools): Route {
  return defineRoute({
    ...ONE,
    method: 'PUT',
    operationId: 'replaceProduct',
    summary: 'Create or replace a product',
    description:
      'From then on, its licenses and plans can have only these features. If you omit `policy`, the product keeps its policy. Returns `conflict` if a license or an available plan uses a feature that you remove, or whose type you change.',
    access: ACCESS.staffOwn,
    body: ProductInput,
    status: 200,
    response: Product,
    errors: { conflict: HTTP_ERRORS.conflict, validation_failed: HTTP_ERRORS.validation_failed },
    example: { body: INPUT, data: EXAMPLE },
    handle: (context, { params, body }) => replaceProduct(context, tools, params.key, body),
  });
}
