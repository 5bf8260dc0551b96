export { findOldestPeriod, hasMeter, listAllowances } from './allowance-queries.ts';
export { BOOK_TABLES, CARD_TABLES } from './billing-tables.ts';
export { applyCatalogue } from './catalogue/apply-catalogue.ts';
export type { Catalogue } from './catalogue/catalogue.ts';
export type { CatalogueChange } from './catalogue/compare-catalogues.ts';
export { ensureDefaultCatalogue, hasDefaultCatalogue } from './catalogue/ensure-default-catalogue.ts';
export { getCatalogue } from './catalogue/get-catalogue.ts';
export { parseCatalogue } from './catalogue/parse-catalogue.ts';
export { summarizeChanges } from './catalogue/replace-catalogue.ts';
export { fileOf as catalogueFileOf, writeCatalogue } from './catalogue/write-catalogue.ts';
export { createBilling } from './create-billing.ts';
export { differsByEnvironment } from './differs-by-environment.ts';
export { ENTITLEMENTS_CHANGED, type Entitlement } from './events.ts';
export { parseExportRange } from './exports/export-range.ts';
export { hasEastAsianFonts } from './invoices/pdf/fonts.ts';
export { discardLiveBilling, hasBooks, hasLiveBilling } from './ledger/live-billing-queries.ts';
export { measureBilling } from './measure-billing.ts';
export { CHARGE_UNITS } from './money/amounts.ts';
export {
  listCreditOfOrganizations,
  listOrganizationsOfInvoice,
  listPlansOfOrganizations,
} from './operator/organization-queries.ts';
export { countSubscriptionChanges, listSubscriptionsInForce, type SubscriptionsInForce } from './overview/queries.ts';
export type { PaymentProvider } from './payment-provider/payment-provider.ts';
export { createStripeProvider } from './payment-provider/stripe/create-stripe-provider.ts';
export { SMALLEST_CHARGE, SMALLEST_CHARGES } from './payment-provider/stripe/stripe-amount.ts';
export { createTestProvider, type TestCards } from './payment-provider/test/create-test-provider.ts';
export { findPolicyFaults, type HeartbeatDefaults } from './products/policy-rules.ts';
export { FEATURE_KEY_PATTERN, type Product } from './products/product.ts';
export { DOCUMENTED_FEATURES, deriveProduct, findFeatureFaults, suggest } from './products/product-rules.ts';
export {
  findProduct,
  insertDerivedProduct,
  listProductKeys,
  lockProduct,
  lockProductForLicense,
  upsertProducts,
} from './products/queries.ts';
export { countOrphans } from './reconciliation/orphan-queries.ts';
export { FeatureValue, POLICY_FIELDS, PolicyOverrides } from './schemas.ts';
