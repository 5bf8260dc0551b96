import { Textarea, TextInput } from '@mantine/core';
import type { IssueOperatorLicenseBody, LicensePolicyInput, OperatorLicense } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { personalApi } from '../../api/index.ts';
import { fromLocalInput, JsonField, parseObject, toLocalInput } from '../frame/index.ts';
import { formatFeatures, parseFeatures } from './feature-lines.ts';
import { useStaffLicensesText } from './messages.ts';

export type Terms = Omit<IssueOperatorLicenseBody, 'organization_id' | 'tier'>;

/** What a license allows, as fields of a form. A subscription determines seats and end. */
export function TermsFields({ license }: { license?: OperatorLicense }) {
  const t = useStaffLicensesText();
  const products = useId();
  const query = useQuery({
    queryKey: ['staff', 'products', 'names'],
    queryFn: () => personalApi().operator.listProducts({ limit: 100 }),
  });
  const isSubscribed = (license?.subscription_id ?? null) !== null;
  const hint = isSubscribed ? { description: t('of_subscription'), readOnly: true } : {};
  return (
    <>
      <TextInput
        label={t('product')}
        name="product"
        list={products}
        defaultValue={license?.product}
        maxLength={100}
        required
      />
      <datalist id={products}>
        {query.data?.data.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </datalist>
      <TextInput
        label={t('max_seats')}
        name="max_seats"
        type="number"
        min={1}
        max={100_000}
        defaultValue={license?.max_seats ?? 5}
        required
        {...hint}
      />
      <TextInput
        label={t('expires')}
        description={t('expires_hint')}
        name="expires_at"
        type="datetime-local"
        defaultValue={license?.expires_at ? toLocalInput(license.expires_at) : ''}
        {...hint}
      />
      <Textarea
        label={t('features')}
        description={t('features_hint')}
        name="features"
        rows={3}
        defaultValue={formatFeatures(license?.features ?? {})}
        spellCheck={false}
      />
      <TextInput
        label={t('external_id')}
        description={t('external_id_hint')}
        name="external_id"
        maxLength={255}
        defaultValue={license?.external_id ?? ''}
      />
      <JsonField
        label={t('policy')}
        description={t('policy_hint')}
        name="policy"
        defaultValue={formatObject(license?.policy_overrides)}
      />
      <JsonField label={t('metadata')} name="metadata" defaultValue={formatObject(license?.metadata)} />
    </>
  );
}

function formatObject(value: object | undefined): string {
  return value === undefined || Object.keys(value).length === 0 ? '' : JSON.stringify(value, undefined, 2);
}

/** Reads the fields. The service checks each name and value, and says what is wrong. */
export function readTerms(form: FormData): Terms {
  const textOf = (name: string) => String(form.get(name)).trim();
  const externalId = textOf('external_id');
  const policy: LicensePolicyInput = parseObject(textOf('policy')) ?? {};
  return {
    product: textOf('product'),
    max_seats: Number(textOf('max_seats')),
    expires_at: fromLocalInput(textOf('expires_at')),
    features: parseFeatures(textOf('features')),
    external_id: externalId === '' ? null : externalId,
    metadata: parseObject(textOf('metadata')) ?? {},
    policy,
  };
}
