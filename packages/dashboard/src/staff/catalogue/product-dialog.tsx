import { Textarea, TextInput } from '@mantine/core';
import type { Product, ReplaceProductBody } from '@seathold/client';
import { personalApi } from '../../api/index.ts';
import { FormDialog, useAction } from '../../ui/index.ts';
import { JsonField, parseObject } from '../frame/index.ts';
import { useCatalogueText } from './messages.ts';
import { formatProductFeatures, parseProductFeatures } from './product-features.ts';

/** Creates a product, or changes one. */
export function ProductDialog({ product, close }: { product?: Product; close: () => void }) {
  const t = useCatalogueText();
  const save = useAction(
    ({ key, ...body }: ReplaceProductBody & { key: string }) => personalApi().operator.replaceProduct(key, body),
    {
      refreshes: [
        ['staff', 'products'],
        ['staff', 'catalogue'],
      ],
      says: t('saved'),
    },
  );
  return (
    <FormDialog
      title={product === undefined ? t('create') : t('edit_of', { name: product.name })}
      isOpen
      close={close}
      submit={t('save')}
      action={save}
      read={readProduct}
    >
      <TextInput
        label={t('key')}
        description={t('key_hint')}
        name="key"
        defaultValue={product?.key}
        readOnly={product !== undefined}
        maxLength={100}
        required
        data-autofocus={product === undefined || undefined}
      />
      <TextInput label={t('name')} name="name" defaultValue={product?.name} maxLength={100} required />
      <Textarea
        label={t('features')}
        description={`${t('features_hint')} ${product === undefined ? '' : t('features_lost')}`}
        name="features"
        rows={4}
        placeholder="max_tracks: number: Tracks"
        defaultValue={formatProductFeatures(product?.features ?? {})}
        spellCheck={false}
        onChange={({ currentTarget }) =>
          currentTarget.setCustomValidity(parseProductFeatures(currentTarget.value).wrong.join('\n'))
        }
      />
      <JsonField
        label={t('policy')}
        description={t('policy_hint')}
        name="policy"
        defaultValue={product === undefined ? '' : JSON.stringify(product.policy, undefined, 2)}
      />
    </FormDialog>
  );
}

function readProduct(form: FormData): ReplaceProductBody & { key: string } {
  return {
    key: String(form.get('key')).trim(),
    name: String(form.get('name')).trim(),
    features: parseProductFeatures(String(form.get('features'))).features,
    policy: parseObject(String(form.get('policy'))) ?? {},
  };
}
