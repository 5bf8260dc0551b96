// Made by tools/generate.ts from openapi.json; never edited.

import type { CreateResource, OperationRow, Resource } from '../operation-types.ts';

const API_TOKENS = {
  /** Create an API token. */
  create: {
    id: 'createApiToken',
    method: 'POST',
    path: '/v1/api-tokens',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** List API tokens. */
  list: { id: 'listApiTokens', method: 'GET', path: '/v1/api-tokens', token: true, query: true, answer: 'list' },
  /** Get an API token. */
  get: { id: 'getApiToken', method: 'GET', path: '/v1/api-tokens/{id}', token: true, answer: 'data' },
  /** Revoke an API token. */
  delete: { id: 'deleteApiToken', method: 'DELETE', path: '/v1/api-tokens/{id}', token: true, answer: 'nothing' },
  /** Rotate an API token. */
  rotate: {
    id: 'rotateApiToken',
    method: 'POST',
    path: '/v1/api-tokens/{id}/rotate',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
} as const;

const AUDIT_LOG = {
  /** List audit log entries. */
  list: { id: 'listAuditLog', method: 'GET', path: '/v1/audit-log', token: true, query: true, answer: 'list' },
} as const;

const AUTH = {
  /** Register a user. */
  register: { id: 'register', method: 'POST', path: '/v1/auth/register', body: true, answer: 'data' },
  /** Log in. */
  login: { id: 'login', method: 'POST', path: '/v1/auth/login', body: true, answer: 'data' },
  /** Refresh an access token. */
  refresh: { id: 'refresh', method: 'POST', path: '/v1/auth/refresh', body: true, answer: 'data' },
  /** Log out. */
  logout: { id: 'logout', method: 'POST', path: '/v1/auth/logout', token: true, keyed: true, answer: 'data' },
  /** Complete a two-factor login. */
  verifyTwoFactor: { id: 'verifyTwoFactor', method: 'POST', path: '/v1/auth/2fa/verify', body: true, answer: 'data' },
  /** Set up two-factor authentication. */
  setUpTwoFactor: {
    id: 'setUpTwoFactor',
    method: 'POST',
    path: '/v1/auth/2fa/setup',
    token: true,
    keyed: true,
    answer: 'data',
  },
  /** Turn on two-factor authentication. */
  enableTwoFactor: {
    id: 'enableTwoFactor',
    method: 'POST',
    path: '/v1/auth/2fa/enable',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Turn off two-factor authentication. */
  disableTwoFactor: {
    id: 'disableTwoFactor',
    method: 'POST',
    path: '/v1/auth/2fa/disable',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Regenerate recovery codes. */
  renewRecoveryCodes: {
    id: 'renewRecoveryCodes',
    method: 'POST',
    path: '/v1/auth/2fa/recovery-codes',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Get the authenticated user. */
  getCurrentUser: { id: 'getCurrentUser', method: 'GET', path: '/v1/auth/me', token: true, answer: 'data' },
  /** Request a password reset. */
  forgotPassword: {
    id: 'forgotPassword',
    method: 'POST',
    path: '/v1/auth/password/forgot',
    body: true,
    answer: 'data',
  },
  /** Reset a password. */
  resetPassword: { id: 'resetPassword', method: 'POST', path: '/v1/auth/password/reset', body: true, answer: 'data' },
  /** Verify an email address. */
  verifyEmail: { id: 'verifyEmail', method: 'POST', path: '/v1/auth/email/verify', body: true, answer: 'data' },
  /** Resend the verification email. */
  sendEmailVerification: {
    id: 'sendEmailVerification',
    method: 'POST',
    path: '/v1/auth/email/verification',
    token: true,
    keyed: true,
    answer: 'data',
  },
  /** List your sessions. */
  listSessions: {
    id: 'listSessions',
    method: 'GET',
    path: '/v1/auth/sessions',
    token: true,
    query: true,
    answer: 'list',
  },
  /** End a session. */
  deleteSession: {
    id: 'deleteSession',
    method: 'DELETE',
    path: '/v1/auth/sessions/{id}',
    token: true,
    answer: 'nothing',
  },
  /** List connected apps. */
  listOauthGrants: {
    id: 'listOauthGrants',
    method: 'GET',
    path: '/v1/auth/grants',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Disconnect an app. */
  deleteOauthGrant: {
    id: 'deleteOauthGrant',
    method: 'DELETE',
    path: '/v1/auth/grants/{id}',
    token: true,
    answer: 'nothing',
  },
} as const;

const CREDIT_BALANCE = {
  /** Get the credit balance. */
  get: { id: 'getCreditBalance', method: 'GET', path: '/v1/credit-balance', token: true, answer: 'data' },
} as const;

const EVENT_TYPES = {
  /** List event types. */
  list: { id: 'listEventTypes', method: 'GET', path: '/v1/event-types', token: true, query: true, answer: 'list' },
} as const;

const EVENTS = {
  /** List events. */
  list: { id: 'listEvents', method: 'GET', path: '/v1/events', token: true, query: true, answer: 'list' },
  /** Get an event. */
  get: { id: 'getEvent', method: 'GET', path: '/v1/events/{event_id}', token: true, answer: 'data' },
} as const;

const INVITATIONS = {
  /** Accept an invitation. */
  accept: {
    id: 'acceptInvitation',
    method: 'POST',
    path: '/v1/invitations/accept',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
} as const;

const INVOICES = {
  /** List invoices. */
  list: { id: 'listInvoices', method: 'GET', path: '/v1/invoices', token: true, query: true, answer: 'list' },
  /** Get an invoice. */
  get: { id: 'getInvoice', method: 'GET', path: '/v1/invoices/{invoice_id}', token: true, answer: 'data' },
  /** Download an invoice PDF. */
  getPdf: { id: 'getInvoicePdf', method: 'GET', path: '/v1/invoices/{invoice_id}/pdf', token: true, answer: 'bytes' },
  /** Pay an invoice. */
  pay: {
    id: 'payInvoice',
    method: 'POST',
    path: '/v1/invoices/{invoice_id}/pay',
    token: true,
    keyed: true,
    answer: 'data',
  },
} as const;

const LICENSES = {
  /** List licenses. */
  list: { id: 'listLicenses', method: 'GET', path: '/v1/licenses', token: true, query: true, answer: 'list' },
  /** Get a license. */
  get: { id: 'getLicense', method: 'GET', path: '/v1/licenses/{license_id}', token: true, answer: 'data' },
  /** List the sessions of a license. */
  listSessions: {
    id: 'listLicenseSessions',
    method: 'GET',
    path: '/v1/licenses/{license_id}/sessions',
    token: true,
    query: true,
    answer: 'list',
  },
  /** List the seats of a license. */
  listSeats: {
    id: 'listLicenseSeats',
    method: 'GET',
    path: '/v1/licenses/{license_id}/seats',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Acquire a seat. */
  acquire: {
    id: 'acquireSeat',
    method: 'POST',
    path: '/v1/licenses/acquire',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Send a heartbeat. */
  heartbeat: {
    id: 'heartbeatSeat',
    method: 'POST',
    path: '/v1/licenses/heartbeat',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Release a seat. */
  release: {
    id: 'releaseSeat',
    method: 'POST',
    path: '/v1/licenses/release',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Wait for a seat. */
  getSeatWait: {
    id: 'getSeatWait',
    method: 'GET',
    path: '/v1/licenses/waits/{wait_id}',
    token: true,
    query: true,
    answer: 'data',
  },
  /** Leave the waiting list. */
  leaveSeatWait: {
    id: 'leaveSeatWait',
    method: 'DELETE',
    path: '/v1/licenses/waits/{wait_id}',
    token: true,
    answer: 'nothing',
  },
  /** Activate a machine with a license key. */
  activate: { id: 'activateLicense', method: 'POST', path: '/v1/licenses/activate', body: true, answer: 'data' },
  /** List the activations of a license. */
  listActivations: {
    id: 'listActivations',
    method: 'GET',
    path: '/v1/licenses/{license_id}/activations',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Revoke an activation. */
  deleteActivation: {
    id: 'deleteActivation',
    method: 'DELETE',
    path: '/v1/licenses/{license_id}/activations/{activation_id}',
    token: true,
    answer: 'nothing',
  },
  /** List the refusals of a license. */
  listRefusals: {
    id: 'listLicenseRefusals',
    method: 'GET',
    path: '/v1/licenses/{license_id}/refusals',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Get the demand for seats of a license. */
  getDemand: {
    id: 'getLicenseDemand',
    method: 'GET',
    path: '/v1/licenses/{license_id}/demand',
    token: true,
    query: true,
    answer: 'data',
  },
  /** Get the public key. */
  getPublicKey: {
    id: 'getLicensePublicKey',
    method: 'GET',
    path: '/v1/licenses/public-key',
    token: true,
    answer: 'data',
  },
} as const;

const ME = {
  /** Get your profile. */
  get: { id: 'getMe', method: 'GET', path: '/v1/me', token: true, answer: 'data' },
  /** Update your profile or password. */
  update: { id: 'updateMe', method: 'PATCH', path: '/v1/me', token: true, keyed: true, body: true, answer: 'data' },
  /** Delete your account. */
  delete: { id: 'deleteMe', method: 'DELETE', path: '/v1/me', token: true, body: true, answer: 'nothing' },
  /** Export your account data. */
  export: { id: 'exportMe', method: 'GET', path: '/v1/me/export', token: true, query: true, answer: 'data' },
} as const;

const OAUTH_APPS = {
  /** Register an OAuth app. */
  create: {
    id: 'createOauthApp',
    method: 'POST',
    path: '/v1/oauth-apps',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** List OAuth apps. */
  list: { id: 'listOauthApps', method: 'GET', path: '/v1/oauth-apps', token: true, query: true, answer: 'list' },
  /** Get an OAuth app. */
  get: { id: 'getOauthApp', method: 'GET', path: '/v1/oauth-apps/{id}', token: true, answer: 'data' },
  /** Update an OAuth app. */
  update: {
    id: 'updateOauthApp',
    method: 'PATCH',
    path: '/v1/oauth-apps/{id}',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Delete an OAuth app. */
  delete: { id: 'deleteOauthApp', method: 'DELETE', path: '/v1/oauth-apps/{id}', token: true, answer: 'nothing' },
  /** Rotate a client secret. */
  rotateSecret: {
    id: 'rotateOauthAppSecret',
    method: 'POST',
    path: '/v1/oauth-apps/{id}/rotate-secret',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
} as const;

const OPERATOR = {
  /** List users. */
  listOperatedUsers: {
    id: 'listOperatedUsers',
    method: 'GET',
    path: '/v1/operator/users',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Get a user. */
  getOperatedUser: {
    id: 'getOperatedUser',
    method: 'GET',
    path: '/v1/operator/users/{user_id}',
    token: true,
    answer: 'data',
  },
  /** Unlock a user. */
  unlockOperatedUser: {
    id: 'unlockOperatedUser',
    method: 'POST',
    path: '/v1/operator/users/{user_id}/unlock',
    token: true,
    keyed: true,
    answer: 'data',
  },
  /** Turn off a user's two-factor authentication. */
  disableTwoFactorOfOperatedUser: {
    id: 'disableTwoFactorOfOperatedUser',
    method: 'POST',
    path: '/v1/operator/users/{user_id}/disable-two-factor',
    token: true,
    keyed: true,
    answer: 'data',
  },
  /** List staff. */
  listStaff: { id: 'listStaff', method: 'GET', path: '/v1/operator/staff', token: true, query: true, answer: 'list' },
  /** Add a staff member. */
  addStaffMember: {
    id: 'addStaffMember',
    method: 'POST',
    path: '/v1/operator/staff',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Change a staff member's role. */
  changeStaffRole: {
    id: 'changeStaffRole',
    method: 'PATCH',
    path: '/v1/operator/staff/{user_id}',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Remove a staff member. */
  removeStaffMember: {
    id: 'removeStaffMember',
    method: 'DELETE',
    path: '/v1/operator/staff/{user_id}',
    token: true,
    answer: 'nothing',
  },
  /** List operator tokens. */
  listTokens: {
    id: 'listOperatorTokens',
    method: 'GET',
    path: '/v1/operator/tokens',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Create an operator token. */
  createToken: {
    id: 'createOperatorToken',
    method: 'POST',
    path: '/v1/operator/tokens',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Revoke an operator token. */
  revokeToken: {
    id: 'revokeOperatorToken',
    method: 'DELETE',
    path: '/v1/operator/tokens/{id}',
    token: true,
    answer: 'nothing',
  },
  /** List audit log entries across organizations. */
  listAuditLog: {
    id: 'listOperatorAuditLog',
    method: 'GET',
    path: '/v1/operator/audit-log',
    token: true,
    query: true,
    answer: 'list',
  },
  /** List organizations. */
  listOperatedOrganizations: {
    id: 'listOperatedOrganizations',
    method: 'GET',
    path: '/v1/operator/organizations',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Create an organization. */
  createOperatedOrganization: {
    id: 'createOperatedOrganization',
    method: 'POST',
    path: '/v1/operator/organizations',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Get an organization. */
  getOperatedOrganization: {
    id: 'getOperatedOrganization',
    method: 'GET',
    path: '/v1/operator/organizations/{id}',
    token: true,
    answer: 'data',
  },
  /** Suspend, reinstate, or annotate an organization. */
  changeOperatedOrganization: {
    id: 'changeOperatedOrganization',
    method: 'PATCH',
    path: '/v1/operator/organizations/{id}',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Delete an organization. */
  deleteOperatedOrganization: {
    id: 'deleteOperatedOrganization',
    method: 'DELETE',
    path: '/v1/operator/organizations/{id}',
    token: true,
    body: true,
    answer: 'data',
  },
  /** Get the catalogue. */
  getCatalog: { id: 'getOperatorCatalog', method: 'GET', path: '/v1/operator/catalog', token: true, answer: 'data' },
  /** Replace the catalogue. */
  replaceCatalog: {
    id: 'replaceOperatorCatalog',
    method: 'PUT',
    path: '/v1/operator/catalog',
    token: true,
    body: true,
    query: true,
    answer: 'data',
  },
  /** List products. */
  listProducts: {
    id: 'listProducts',
    method: 'GET',
    path: '/v1/operator/products',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Get a product. */
  getProduct: { id: 'getProduct', method: 'GET', path: '/v1/operator/products/{key}', token: true, answer: 'data' },
  /** Create or replace a product. */
  replaceProduct: {
    id: 'replaceProduct',
    method: 'PUT',
    path: '/v1/operator/products/{key}',
    token: true,
    body: true,
    answer: 'data',
  },
  /** List payments across organizations. */
  listPayments: {
    id: 'listOperatorPayments',
    method: 'GET',
    path: '/v1/operator/payments',
    token: true,
    query: true,
    answer: 'list',
  },
  /** List subscriptions across organizations. */
  listSubscriptions: {
    id: 'listOperatorSubscriptions',
    method: 'GET',
    path: '/v1/operator/subscriptions',
    token: true,
    query: true,
    answer: 'list',
  },
  /** List invoices across organizations. */
  listInvoices: {
    id: 'listOperatorInvoices',
    method: 'GET',
    path: '/v1/operator/invoices',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Grant credit. */
  createCredit: {
    id: 'createOperatorCredit',
    method: 'POST',
    path: '/v1/operator/credits',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Export invoices. */
  exportInvoices: {
    id: 'exportInvoices',
    method: 'GET',
    path: '/v1/operator/exports/invoices',
    token: true,
    query: true,
    answer: 'bytes',
  },
  /** Export payments. */
  exportPayments: {
    id: 'exportPayments',
    method: 'GET',
    path: '/v1/operator/exports/payments',
    token: true,
    query: true,
    answer: 'bytes',
  },
  /** List licenses across organizations. */
  listLicenses: {
    id: 'listOperatorLicenses',
    method: 'GET',
    path: '/v1/operator/licenses',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Issue a license. */
  issueLicense: {
    id: 'issueOperatorLicense',
    method: 'POST',
    path: '/v1/operator/licenses',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Get a license of any organization. */
  getLicense: {
    id: 'getOperatorLicense',
    method: 'GET',
    path: '/v1/operator/licenses/{license_id}',
    token: true,
    answer: 'data',
  },
  /** Change a license. */
  changeLicense: {
    id: 'changeOperatorLicense',
    method: 'PATCH',
    path: '/v1/operator/licenses/{license_id}',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Suspend a license. */
  suspendLicense: {
    id: 'suspendOperatorLicense',
    method: 'POST',
    path: '/v1/operator/licenses/{license_id}/suspend',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Reinstate a license. */
  reinstateLicense: {
    id: 'reinstateOperatorLicense',
    method: 'POST',
    path: '/v1/operator/licenses/{license_id}/reinstate',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Revoke a license. */
  revokeLicense: {
    id: 'revokeOperatorLicense',
    method: 'POST',
    path: '/v1/operator/licenses/{license_id}/revoke',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** List the refusals of all organizations. */
  listRefusals: {
    id: 'listRefusals',
    method: 'GET',
    path: '/v1/operator/refusals',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Explain why a user cannot get a seat. */
  explain: { id: 'explainSeat', method: 'GET', path: '/v1/operator/explain', token: true, query: true, answer: 'data' },
  /** Record usage. */
  recordUsage: {
    id: 'recordUsage',
    method: 'POST',
    path: '/v1/operator/usage',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Get an overview. */
  getOverview: {
    id: 'getOverview',
    method: 'GET',
    path: '/v1/operator/overview',
    token: true,
    query: true,
    answer: 'data',
  },
  /** Get a request. */
  getRequestRecord: {
    id: 'getRequestRecord',
    method: 'GET',
    path: '/v1/operator/requests/{request_id}',
    token: true,
    answer: 'data',
  },
} as const;

const ORGANIZATIONS = {
  /** List organizations. */
  list: { id: 'listOrganizations', method: 'GET', path: '/v1/orgs', token: true, query: true, answer: 'list' },
  /** Create an organization. */
  create: {
    id: 'createOrganization',
    method: 'POST',
    path: '/v1/orgs',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Get an organization. */
  get: { id: 'getOrganization', method: 'GET', path: '/v1/orgs/{organization_id}', token: true, answer: 'data' },
  /** Update an organization. */
  update: {
    id: 'updateOrganization',
    method: 'PATCH',
    path: '/v1/orgs/{organization_id}',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Delete an organization. */
  delete: {
    id: 'deleteOrganization',
    method: 'DELETE',
    path: '/v1/orgs/{organization_id}',
    token: true,
    body: true,
    answer: 'nothing',
  },
  /** List members. */
  listMembers: {
    id: 'listMembers',
    method: 'GET',
    path: '/v1/orgs/{organization_id}/members',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Change a member's role. */
  changeMemberRole: {
    id: 'changeMemberRole',
    method: 'PATCH',
    path: '/v1/orgs/{organization_id}/members/{user_id}',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Remove a member or leave. */
  removeMember: {
    id: 'removeMember',
    method: 'DELETE',
    path: '/v1/orgs/{organization_id}/members/{user_id}',
    token: true,
    answer: 'nothing',
  },
  /** Invite a member. */
  createInvitation: {
    id: 'createInvitation',
    method: 'POST',
    path: '/v1/orgs/{organization_id}/invitations',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** List invitations. */
  listInvitations: {
    id: 'listInvitations',
    method: 'GET',
    path: '/v1/orgs/{organization_id}/invitations',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Revoke an invitation. */
  revokeInvitation: {
    id: 'revokeInvitation',
    method: 'DELETE',
    path: '/v1/orgs/{organization_id}/invitations/{invitation_id}',
    token: true,
    answer: 'nothing',
  },
} as const;

const PAYMENT_METHODS = {
  /** List payment methods. */
  list: {
    id: 'listPaymentMethods',
    method: 'GET',
    path: '/v1/payment-methods',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Attach a payment method. */
  attach: {
    id: 'attachPaymentMethod',
    method: 'POST',
    path: '/v1/payment-methods',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Delete a payment method. */
  delete: {
    id: 'deletePaymentMethod',
    method: 'DELETE',
    path: '/v1/payment-methods/{payment_method_id}',
    token: true,
    answer: 'nothing',
  },
} as const;

const PLANS = {
  /** List plans. */
  list: { id: 'listPlans', method: 'GET', path: '/v1/plans', query: true, answer: 'list' },
  /** Get a plan. */
  get: { id: 'getPlan', method: 'GET', path: '/v1/plans/{plan_id}', answer: 'data' },
} as const;

const PROJECTS = {
  /** List projects. */
  list: { id: 'listProjects', method: 'GET', path: '/v1/projects', token: true, query: true, answer: 'list' },
  /** Create a project. */
  create: {
    id: 'createProject',
    method: 'POST',
    path: '/v1/projects',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Get a project. */
  get: { id: 'getProject', method: 'GET', path: '/v1/projects/{project_id}', token: true, answer: 'data' },
  /** Update a project. */
  update: {
    id: 'updateProject',
    method: 'PATCH',
    path: '/v1/projects/{project_id}',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Delete a project. */
  delete: { id: 'deleteProject', method: 'DELETE', path: '/v1/projects/{project_id}', token: true, answer: 'nothing' },
  /** Get the usage of a project. */
  getUsage: {
    id: 'getProjectUsage',
    method: 'GET',
    path: '/v1/projects/{project_id}/usage',
    token: true,
    answer: 'data',
  },
} as const;

const SANDBOX = {
  /** Create a test payment method. */
  makePaymentMethod: {
    id: 'makeSandboxPaymentMethod',
    method: 'POST',
    path: '/v1/sandbox/payment-methods',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Confirm a test payment. */
  confirmPayment: {
    id: 'confirmSandboxPayment',
    method: 'POST',
    path: '/v1/sandbox/payments/confirm',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Get the sandbox clock. */
  getClock: { id: 'getSandboxClock', method: 'GET', path: '/v1/sandbox/clock', token: true, answer: 'data' },
  /** Advance the sandbox clock. */
  advanceClock: {
    id: 'advanceSandboxClock',
    method: 'POST',
    path: '/v1/sandbox/clock/advance',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
} as const;

const SUBSCRIPTIONS = {
  /** List subscriptions. */
  list: { id: 'listSubscriptions', method: 'GET', path: '/v1/subscriptions', token: true, query: true, answer: 'list' },
  /** Create a subscription. */
  create: {
    id: 'createSubscription',
    method: 'POST',
    path: '/v1/subscriptions',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Get a subscription. */
  get: {
    id: 'getSubscription',
    method: 'GET',
    path: '/v1/subscriptions/{subscription_id}',
    token: true,
    answer: 'data',
  },
  /** Update a subscription. */
  update: {
    id: 'updateSubscription',
    method: 'PATCH',
    path: '/v1/subscriptions/{subscription_id}',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Preview an order. */
  getOrderPreview: {
    id: 'getOrderPreview',
    method: 'GET',
    path: '/v1/subscriptions/preview',
    token: true,
    query: true,
    answer: 'data',
  },
  /** Preview a change. */
  preview: {
    id: 'previewSubscription',
    method: 'GET',
    path: '/v1/subscriptions/{subscription_id}/preview',
    token: true,
    query: true,
    answer: 'data',
  },
  /** Cancel a subscription. */
  cancel: {
    id: 'cancelSubscription',
    method: 'POST',
    path: '/v1/subscriptions/{subscription_id}/cancel',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Resume a subscription. */
  resume: {
    id: 'resumeSubscription',
    method: 'POST',
    path: '/v1/subscriptions/{subscription_id}/resume',
    token: true,
    keyed: true,
    answer: 'data',
  },
} as const;

const USAGE = {
  /** Get the usage summary. */
  get: { id: 'getUsage', method: 'GET', path: '/v1/usage', token: true, answer: 'data' },
} as const;

const WEBHOOKS = {
  /** Create a portal link. */
  createPortalLink: {
    id: 'createWebhookPortalLink',
    method: 'POST',
    path: '/v1/webhooks/portal-links',
    token: true,
    keyed: true,
    answer: 'data',
  },
  /** Exchange a portal link. */
  exchangePortalLink: {
    id: 'exchangeWebhookPortalLink',
    method: 'POST',
    path: '/v1/webhooks/portal-links/exchange',
    body: true,
    answer: 'data',
  },
  /** Create a webhook endpoint. */
  create: {
    id: 'createWebhook',
    method: 'POST',
    path: '/v1/webhooks',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** List webhook endpoints. */
  list: { id: 'listWebhooks', method: 'GET', path: '/v1/webhooks', token: true, query: true, answer: 'list' },
  /** Get a webhook endpoint. */
  get: { id: 'getWebhook', method: 'GET', path: '/v1/webhooks/{webhook_id}', token: true, answer: 'data' },
  /** Update a webhook endpoint. */
  update: {
    id: 'updateWebhook',
    method: 'PATCH',
    path: '/v1/webhooks/{webhook_id}',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Delete a webhook endpoint. */
  delete: { id: 'deleteWebhook', method: 'DELETE', path: '/v1/webhooks/{webhook_id}', token: true, answer: 'nothing' },
  /** Rotate a signing secret. */
  rotateSecret: {
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/rotate-secret',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Send a test event. */
  test: {
    id: 'testWebhook',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/test',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** List deliveries. */
  listDeliveries: {
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Get a delivery. */
  getDelivery: {
    id: 'getWebhookDelivery',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}',
    token: true,
    answer: 'data',
  },
  /** Retry a delivery. */
  retryDelivery: {
    id: 'retryWebhookDelivery',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
    token: true,
    keyed: true,
    answer: 'data',
  },
  /** Replay deliveries. */
  replay: {
    id: 'replayWebhook',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/replay',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Cancel a replay. */
  cancelReplay: {
    id: 'cancelWebhookReplay',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/replays/{replay_id}/cancel',
    token: true,
    keyed: true,
    answer: 'data',
  },
  /** List replays. */
  listReplays: {
    id: 'listWebhookReplays',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/replays',
    token: true,
    query: true,
    answer: 'list',
  },
  /** Get a replay. */
  getReplay: {
    id: 'getWebhookReplay',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/replays/{replay_id}',
    token: true,
    answer: 'data',
  },
} as const;

const WELL_KNOWN = {
  /** List the keys that verify license tokens. */
  getKeySet: { id: 'getKeySet', method: 'GET', path: '/.well-known/jwks.json', answer: 'json' },
  /** Get the revoked license tokens. */
  getLicenseRevocations: {
    id: 'getLicenseRevocations',
    method: 'GET',
    path: '/.well-known/license-revocations.jwt',
    answer: 'bytes',
  },
} as const;

/** Every operation of the API except for streams. */
export const ALL_OPERATIONS: readonly OperationRow[] = [
  ...Object.values(API_TOKENS),
  ...Object.values(AUDIT_LOG),
  ...Object.values(AUTH),
  ...Object.values(CREDIT_BALANCE),
  ...Object.values(EVENT_TYPES),
  ...Object.values(EVENTS),
  ...Object.values(INVITATIONS),
  ...Object.values(INVOICES),
  ...Object.values(LICENSES),
  ...Object.values(ME),
  ...Object.values(OAUTH_APPS),
  ...Object.values(OPERATOR),
  ...Object.values(ORGANIZATIONS),
  ...Object.values(PAYMENT_METHODS),
  ...Object.values(PLANS),
  ...Object.values(PROJECTS),
  ...Object.values(SANDBOX),
  ...Object.values(SUBSCRIPTIONS),
  ...Object.values(USAGE),
  ...Object.values(WEBHOOKS),
  ...Object.values(WELL_KNOWN),
];

/** The resources of the API, each with its methods. */
export class Resources {
  readonly apiTokens: Resource<typeof API_TOKENS>;
  readonly auditLog: Resource<typeof AUDIT_LOG>;
  readonly auth: Resource<typeof AUTH>;
  readonly creditBalance: Resource<typeof CREDIT_BALANCE>;
  readonly eventTypes: Resource<typeof EVENT_TYPES>;
  readonly events: Resource<typeof EVENTS>;
  readonly invitations: Resource<typeof INVITATIONS>;
  readonly invoices: Resource<typeof INVOICES>;
  readonly licenses: Resource<typeof LICENSES>;
  readonly me: Resource<typeof ME>;
  readonly oauthApps: Resource<typeof OAUTH_APPS>;
  readonly operator: Resource<typeof OPERATOR>;
  readonly organizations: Resource<typeof ORGANIZATIONS>;
  readonly paymentMethods: Resource<typeof PAYMENT_METHODS>;
  readonly plans: Resource<typeof PLANS>;
  readonly projects: Resource<typeof PROJECTS>;
  readonly sandbox: Resource<typeof SANDBOX>;
  readonly subscriptions: Resource<typeof SUBSCRIPTIONS>;
  readonly usage: Resource<typeof USAGE>;
  readonly webhooks: Resource<typeof WEBHOOKS>;
  readonly wellKnown: Resource<typeof WELL_KNOWN>;

  constructor(open: CreateResource) {
    this.apiTokens = open(API_TOKENS);
    this.auditLog = open(AUDIT_LOG);
    this.auth = open(AUTH);
    this.creditBalance = open(CREDIT_BALANCE);
    this.eventTypes = open(EVENT_TYPES);
    this.events = open(EVENTS);
    this.invitations = open(INVITATIONS);
    this.invoices = open(INVOICES);
    this.licenses = open(LICENSES);
    this.me = open(ME);
    this.oauthApps = open(OAUTH_APPS);
    this.operator = open(OPERATOR);
    this.organizations = open(ORGANIZATIONS);
    this.paymentMethods = open(PAYMENT_METHODS);
    this.plans = open(PLANS);
    this.projects = open(PROJECTS);
    this.sandbox = open(SANDBOX);
    this.subscriptions = open(SUBSCRIPTIONS);
    this.usage = open(USAGE);
    this.webhooks = open(WEBHOOKS);
    this.wellKnown = open(WELL_KNOWN);
  }
}
