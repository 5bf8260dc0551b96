import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { Organization, UpdateOrganizationBody } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, useCurrentUser, useHasRole } from '../api/index.ts';
import { BillingOnly } from '../billing/billing-only.tsx';
import { useMayManageBilling } from '../billing/use-may-manage-billing.ts';
import { FactList, Loaded, Page, Problem, Section, useAction } from '../ui/index.ts';
import { useBillingDetailsText } from './messages.ts';

type Details = NonNullable<Organization['billing_details']>;

const NOTHING: Details = { legal_name: null, address: null, tax_id: null, email: null };

/** The recipient of invoices. */
export function BillingDetailsScreen() {
  const t = useBillingDetailsText();
  return (
    <Page title={t('title')} about={t('about')}>
      <BillingOnly icon="invoice">
        <BillingDetails />
      </BillingOnly>
    </Page>
  );
}

function BillingDetails() {
  const isAdmin = useHasRole('admin');
  const mayManage = useMayManageBilling();
  const { organization } = useCurrentUser();
  const query = useQuery({
    queryKey: ['organization', organization.id],
    queryFn: () => api().organizations.get(organization.id),
  });
  return (
    <Section>
      <Loaded query={query} height={420}>
        {({ billing_details: details }) =>
          isAdmin && mayManage ? (
            <DetailsForm details={details ?? NOTHING} />
          ) : (
            <ReadDetails details={details ?? NOTHING} />
          )
        }
      </Loaded>
    </Section>
  );
}

function DetailsForm({ details }: { details: Details }) {
  const t = useBillingDetailsText();
  const { organization } = useCurrentUser();
  const save = useAction(
    (to: NonNullable<UpdateOrganizationBody['billing_details']>) =>
      api().organizations.update(organization.id, { billing_details: to }),
    { refreshes: [['organization']], says: t('saved') },
  );
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(readDetails(new FormData(event.currentTarget)));
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md" maw={480}>
        <TextInput
          label={t('legal_name')}
          description={t('legal_name_hint')}
          name="legal_name"
          maxLength={200}
          autoComplete="organization"
          defaultValue={details.legal_name ?? ''}
        />
        <Textarea
          label={t('address')}
          description={t('address_hint')}
          name="address"
          maxLength={1000}
          rows={4}
          autoComplete="street-address"
          defaultValue={details.address ?? ''}
        />
        <TextInput
          label={t('tax_id')}
          description={t('tax_id_hint')}
          name="tax_id"
          maxLength={64}
          defaultValue={details.tax_id ?? ''}
        />
        <TextInput
          label={t('email')}
          description={t('email_hint')}
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={details.email ?? ''}
        />
        {save.isError && <Problem error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** An empty field clears what was there. */
function readDetails(form: FormData): Details {
  const read = (name: keyof Details) => {
    const text = String(form.get(name) ?? '')
      .replaceAll('\r\n', '\n')
      .trim();
    return text === '' ? null : text;
  };
  return { legal_name: read('legal_name'), address: read('address'), tax_id: read('tax_id'), email: read('email') };
}

function ReadDetails({ details }: { details: Details }) {
  const t = useBillingDetailsText();
  const names = ['legal_name', 'address', 'tax_id', 'email'] as const;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('only_admins')}
      </Text>
      <FactList
        facts={names.map((name) => [
          t(name),
          <span key={name} style={{ whiteSpace: 'pre-line' }}>
            {details[name] ?? '–'}
          </span>,
        ])}
      />
    </Stack>
  );
}
