import { TEST_CARDS } from './cards.ts';
import { mapOf, type Params, textOf } from './form.ts';
import { cardError, invalid, missing, required } from './stripe-fault.ts';
import type { Customer, Method, World } from './world.ts';

export function createCustomer(world: World, params: Params): object {
  const customer: Customer = { id: world.newId('cus'), name: null, email: null, metadata: mapOf(params, 'metadata') };
  world.customers.set(customer.id, customer);
  return updateCustomer(world, customer.id, params);
}

export function updateCustomer(world: World, id: string, params: Params): object {
  const customer = world.customer(id, 'id');
  const email = textOf(params, 'email');
  if (email !== undefined && !email.includes('@')) {
    throw invalid('email', `Invalid email address: ${email}`, 'email_invalid');
  }
  customer.name = textOf(params, 'name') ?? customer.name;
  customer.email = email ?? customer.email;
  Object.assign(customer.metadata, mapOf(params, 'metadata'));
  return showCustomer(customer);
}

export function retrieveCustomer(world: World, id: string): object {
  return showCustomer(world.customer(id, 'id'));
}

export function deleteCustomer(world: World, id: string): void {
  world.customers.delete(id);
  for (const method of world.methods.values()) {
    if (method.customer === id) {
      method.customer = null;
      method.isSpent = true;
    }
  }
}

/** A test card's name represents a new card each time. */
export function attachMethod(world: World, id: string, params: Params): object {
  const customer = textOf(params, 'customer');
  if (customer === undefined) {
    throw required('customer');
  }
  world.customer(customer, 'customer');
  const method = TEST_CARDS[id] === undefined ? world.method(id, 'id') : makeMethod(world, id);
  if (method.customer === customer) {
    return showMethod(method);
  }
  if (method.customer !== null) {
    throw invalid('payment_method', 'The payment method you provided has already been attached to a customer.');
  }
  if (method.isSpent) {
    throw invalid(
      'payment_method',
      'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
    );
  }
  if (method.card.refusedAtAttach !== undefined) {
    throw cardError(method.card.refusedAtAttach, { payment_method: showMethod(method) });
  }
  method.customer = customer;
  world.announce('payment_method.attached', showMethod(method));
  return showMethod(method);
}

export function detachMethod(world: World, id: string): object {
  const method = world.method(id, 'id');
  if (method.customer === null) {
    throw invalid(
      'payment_method',
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    );
  }
  method.customer = null;
  method.isSpent = true;
  world.announce('payment_method.detached', showMethod(method));
  return showMethod(method);
}

export function retrieveMethod(world: World, id: string): object {
  return showMethod(world.method(id, 'id'));
}

/** A card, as created by Stripe.js in the customer's browser. */
export function makeMethod(world: World, name: string, type: Method['type'] = 'card'): Method {
  const card = TEST_CARDS[name];
  if (card === undefined) {
    throw missing('id', 'payment_method', name);
  }
  const hasMandate = card.authentication === 'on_session';
  const method: Method = { id: world.newId('pm'), card, type, customer: null, hasMandate, isSpent: false };
  world.methods.set(method.id, method);
  return method;
}

function showCustomer({ id, name, email, metadata }: Customer) {
  return { id, object: 'customer', name, email, metadata, livemode: false };
}

function showMethod({ id, card, type, customer }: Method) {
  const shown = { brand: card.brand, last4: card.last4, exp_month: 12, exp_year: 2034, funding: 'credit' };
  return { id, object: 'payment_method', type, customer, livemode: false, ...(type === 'card' ? { card: shown } : {}) };
}
