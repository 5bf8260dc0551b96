import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { BILLING_ERRORS } from '../errors.ts';
import { Subscription } from '../schemas.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { changeSubscription } from './change-subscription.ts';
import { createSubscription } from './create-subscription.ts';
import { getSubscription } from './get-subscription.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import { previewChange } from './preview-change.ts';
import { previewOrder } from './preview-order.ts';
import { resumeSubscription } from './resume-subscription.ts';
import {
  Cancellation,
  ChangedSubscription,
  ChangePreview,
  CreatedSubscription,
  Order,
  OrderPreview,
  SubscriptionChange,
  SubscriptionInput,
} from './schemas.ts';
import {
  CANCELED_EXAMPLE,
  ORDER_PREVIEW_EXAMPLE,
  PREVIEW_EXAMPLE,
  SUBSCRIPTION_EXAMPLE,
} from './subscription-example.ts';
import { SUBSCRIPTION_LIST } from './subscription-list.ts';

/** The endpoints at /v1/subscriptions. */
export function subscriptionRoutes(tools: BillingTools): Route[] {
  return [...readRoutes(), ...previewRoutes(tools), ...buyingRoutes(tools), ...endingRoutes(tools)];
}

const { not_found, conflict, validation_failed } = HTTP_ERRORS;
const { payment_failed } = BILLING_ERRORS;

const SubscriptionPath = Type.Object({ subscription_id: Type.String() });

/** The same as in the body of a change. */
const PreviewQuery = Type.Object(
  { quantity: SubscriptionChange.properties.quantity, plan_id: SubscriptionChange.properties.plan_id },
  { additionalProperties: false },
);

function readRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/subscriptions',
      operationId: 'listSubscriptions',
      tag: 'Subscriptions',
      summary: 'List subscriptions',
      description: 'Lists the subscriptions of the organization, including those that have ended.',
      access: ACCESS.readBilling,
      list: SUBSCRIPTION_LIST,
      status: 200,
      response: Subscription,
      errors: {},
      example: { data: [SUBSCRIPTION_EXAMPLE] },
      handle: (context, { page }) => listSubscriptions(context, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/subscriptions/{subscription_id}',
      operationId: 'getSubscription',
      tag: 'Subscriptions',
      summary: 'Get a subscription',
      access: ACCESS.readBilling,
      params: SubscriptionPath,
      status: 200,
      response: Subscription,
      errors: { not_found },
      example: { data: SUBSCRIPTION_EXAMPLE },
      handle: async (context, { params }) => ({ data: await getSubscription(context, params.subscription_id) }),
    }),
  ];
}

function previewRoutes(tools: BillingTools): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/subscriptions/preview',
      operationId: 'getOrderPreview',
      tag: 'Subscriptions',
      summary: 'Preview an order',
      description:
        'Shows what a new subscription would cost for its first period, with the discount of the coupon and the credit that would be used. Returns the same errors that the order itself would. Nothing is created or charged, and the coupon is not redeemed.',
      access: ACCESS.readBilling,
      query: Order,
      status: 200,
      response: OrderPreview,
      errors: { conflict, validation_failed },
      example: { data: ORDER_PREVIEW_EXAMPLE },
      handle: async (context, { query }) => ({ data: await previewOrder(context, tools, query) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/subscriptions/{subscription_id}/preview',
      operationId: 'previewSubscription',
      tag: 'Subscriptions',
      summary: 'Preview a change',
      description:
        'Shows what a change would cost, prorated to the second for the rest of the period. Provide `quantity`, `plan_id`, or both. Nothing is changed or charged.',
      access: ACCESS.readBilling,
      params: SubscriptionPath,
      query: PreviewQuery,
      status: 200,
      response: ChangePreview,
      errors: { not_found, conflict, validation_failed },
      example: { data: PREVIEW_EXAMPLE },
      handle: async (context, { params, query }) => ({
        data: await previewChange(context, tools, params.subscription_id, query),
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
      summary: 'Create a subscription',
      description:
        'Charges the first period. If the payment succeeds, the subscription is `active` and has a license for that many seats. If the customer must authenticate the payment, the subscription is `incomplete` until they do, for at most 23 hours. If the card is declined, you get `payment_failed` and nothing is created.',
      access: ACCESS.manageBilling,
      opensTransaction: true,
      hasOwnBound: true,
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
      handle: (context, { body }) => createSubscription(context, tools, body),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/v1/subscriptions/{subscription_id}',
      operationId: 'updateSubscription',
      tag: 'Subscriptions',
      summary: 'Update a subscription',
      description:
        'Changes the number of seats or the plan. An upgrade is prorated to the second and charged immediately; it takes effect when the payment succeeds. If the customer must authenticate the payment, the change waits in `pending_change`. A downgrade takes effect immediately, and the difference becomes credit for the next invoices.',
      access: ACCESS.manageBilling,
      opensTransaction: true,
      hasOwnBound: true,
      params: SubscriptionPath,
      body: SubscriptionChange,
      status: 200,
      response: ChangedSubscription,
      errors: { not_found, conflict, payment_failed, validation_failed },
      example: { body: { quantity: 8 }, data: { ...SUBSCRIPTION_EXAMPLE, quantity: 8 } },
      handle: (context, { params, body }) => changeSubscription(context, tools, params.subscription_id, body),
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
        'Cancels at the end of the current period, or immediately without a refund. An incomplete or past-due subscription always ends immediately, and its open invoice is voided.',
      access: ACCESS.manageBilling,
      opensTransaction: true,
      params: SubscriptionPath,
      body: Cancellation,
      status: 200,
      response: Subscription,
      errors: { not_found, conflict },
      example: { body: { cancel_immediately: false, reason: 'We finished the project.' }, data: CANCELED_EXAMPLE },
      handle: (context, { params, body }) => cancelSubscription(context, tools, params.subscription_id, body),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/subscriptions/{subscription_id}/resume',
      operationId: 'resumeSubscription',
      tag: 'Subscriptions',
      summary: 'Resume a subscription',
      description: 'Undoes a cancellation. This is possible until the current period ends.',
      access: ACCESS.manageBilling,
      params: SubscriptionPath,
      status: 200,
      response: Subscription,
      errors: { not_found, conflict },
      example: { data: SUBSCRIPTION_EXAMPLE },
      handle: async (context, { params }) => ({
        data: await resumeSubscription(context, tools, params.subscription_id),
      }),
    }),
  ];
}
