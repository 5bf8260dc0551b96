export { type Applying, applyCatalogue, readCatalogue } from './catalogue/apply-catalogue.ts';
export type { Catalogue } from './catalogue/catalogue.ts';
export type { CatalogueChange } from './catalogue/compare-catalogues.ts';
export { ensureDefaultCatalogue } from './catalogue/ensure-default-catalogue.ts';
export { parseCatalogue } from './catalogue/parse-catalogue.ts';
export { writeCatalogue } from './catalogue/write-catalogue.ts';
export { ENTITLEMENTS_CHANGED, type Entitlement } from './entitlements.ts';
export { type Billing, openBilling } from './open-billing.ts';
export { openTestProvider, type TestCards } from './payment-provider/test/open-test-provider.ts';
