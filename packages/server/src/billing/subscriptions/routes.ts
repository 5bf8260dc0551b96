import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type ListDefinition, type Route } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { BILLING_ERRORS } from '../errors.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { changeSubscription } from './change-subscription.ts';
import { createSubscription } from './create-subscription.ts';
import { previewChange } from './preview-change.ts';
import { readSubscription, readSubscriptions } from './read-subscriptions.ts';
import { resumeSubscription } from './resume-subscription.ts';
import {
  Cancellation,
  ChangedSubscription,
  ChangePreview,
  CreatedSubscription,
  SUBSCRIPTION_STATUSES,
  Subscription,
  SubscriptionChange,
  SubscriptionInput,
} from './schemas.ts';
import { CANCELED_EXAMPLE, PREVIEW_EXAMPLE, SUBSCRIPTION_EXAMPLE } from './subscription-example.ts';

/** The endpoints at /v1/subscriptions. */
export function subscriptionRoutes(tools: BillingTools): Route[] {
  return [...readRoutes(tools), ...buyingRoutes(tools), ...endingRoutes(tools)];
}

const { not_found, conflict, validation_failed } = HTTP_ERRORS;
const { payment_failed } = BILLING_ERRORS;

const SubscriptionPath = Type.Object({ subscription_id: Type.String() });

const SUBSCRIPTION_LIST: ListDefinition = {
  defaultSort: '-created_at',
  sorts: { created_at: 'time', current_period_end: 'time' },
  filters: {
    status: { kind: 'enum', values: SUBSCRIPTION_STATUSES },
    plan_id: { kind: 'text' },
    created_after: { kind: 'time' },
    created_before: { kind: 'time' },
  },
};

/** The same as in the body of a change. */
const PreviewQuery = Type.Object(
  { quantity: SubscriptionChange.properties.quantity, plan_id: SubscriptionChange.properties.plan_id },
  { additionalProperties: false },
);

function readRoutes(tools: BillingTools): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/subscriptions',
      operationId: 'listSubscriptions',
      tag: 'Subscriptions',
      summary: 'List subscriptions',
      access: ACCESS.readBilling,
      list: SUBSCRIPTION_LIST,
      status: 200,
      response: Subscription,
      errors: {},
      example: { data: [SUBSCRIPTION_EXAMPLE] },
      handle: (context, { page }) => readSubscriptions(context, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/subscriptions/{subscription_id}',
      operationId: 'getSubscription',
      tag: 'Subscriptions',
      summary: 'Read a subscription',
      access: ACCESS.readBilling,
      params: SubscriptionPath,
      status: 200,
      response: Subscription,
      errors: { not_found },
      example: { data: SUBSCRIPTION_EXAMPLE },
      handle: async (context, { params }) => ({ data: await readSubscription(context, params.subscription_id) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/subscriptions/{subscription_id}/preview',
      operationId: 'previewSubscription',
      tag: 'Subscriptions',
      summary: 'See what a change would cost',
      description:
        'Prorated to the second for the rest of the period, worked out as the change itself is. Nothing is written or charged.',
      access: ACCESS.readBilling,
      params: SubscriptionPath,
      query: PreviewQuery,
      status: 200,
      response: ChangePreview,
      errors: { not_found, conflict, validation_failed },
      example: { data: PREVIEW_EXAMPLE },
      handle: async (context, { params, query }) => ({
        data: await previewChange(tools, context, params.subscription_id, query),
      }),
    }),
  ];
}

function buyingRoutes(tools: BillingTools): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/subscriptions',
      operationId: 'createSubscription',
      tag: 'Subscriptions',
      summary: 'Subscribe to a plan',
      description:
        'Charges the first period. Paid: `active`, with a license of that many seats. Where the customer must authenticate the payment, it is `incomplete` until they have, for 23 hours at most. Declined: `payment_failed`, and nothing is created.',
      access: ACCESS.manageBilling,
      opensTransaction: true,
      body: SubscriptionInput,
      status: 201,
      response: CreatedSubscription,
      errors: { conflict, payment_failed, validation_failed },
      example: {
        body: { plan_id: SUBSCRIPTION_EXAMPLE.plan.id, quantity: 5, payment_method_id: 'pm_card_visa' },
        data: {
          id: SUBSCRIPTION_EXAMPLE.id,
          status: 'active',
          client_secret: 'pi_3Q_secret_9f2c',
          requires_action: false,
        },
      },
      handle: (context, { body }) => createSubscription(tools, context, body),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/v1/subscriptions/{subscription_id}',
      operationId: 'updateSubscription',
      tag: 'Subscriptions',
      summary: 'Change seats or plan',
      description:
        'More is prorated to the second, charged at once, and takes effect when it is paid; where the customer must authenticate, the change waits in `pending_change`. Less takes effect at once and becomes credit for the next invoices.',
      access: ACCESS.manageBilling,
      opensTransaction: true,
      params: SubscriptionPath,
      body: SubscriptionChange,
      status: 200,
      response: ChangedSubscription,
      errors: { not_found, conflict, payment_failed, validation_failed },
      example: { body: { quantity: 8 }, data: { ...SUBSCRIPTION_EXAMPLE, quantity: 8 } },
      handle: (context, { params, body }) => changeSubscription(tools, context, params.subscription_id, body),
    }),
  ];
}

function endingRoutes(tools: BillingTools): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/subscriptions/{subscription_id}/cancel',
      operationId: 'cancelSubscription',
      tag: 'Subscriptions',
      summary: 'Cancel a subscription',
      description:
        'At the end of the period, or now without a refund. One that is incomplete or past due ends now either way, and its open invoice is void.',
      access: ACCESS.manageBilling,
      opensTransaction: true,
      params: SubscriptionPath,
      body: Cancellation,
      status: 200,
      response: Subscription,
      errors: { not_found, conflict },
      example: { body: { cancel_immediately: false, reason: 'We finished the project.' }, data: CANCELED_EXAMPLE },
      handle: (context, { params, body }) => cancelSubscription(tools, context, params.subscription_id, body),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/subscriptions/{subscription_id}/resume',
      operationId: 'resumeSubscription',
      tag: 'Subscriptions',
      summary: 'Take a cancellation back',
      description: 'Until the period is over.',
      access: ACCESS.manageBilling,
      params: SubscriptionPath,
      status: 200,
      response: Subscription,
      errors: { not_found, conflict },
      example: { data: SUBSCRIPTION_EXAMPLE },
      handle: async (context, { params }) => ({
        data: await resumeSubscription(tools, context, params.subscription_id),
      }),
    }),
  ];
}
