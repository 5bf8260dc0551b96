import type { Product } from '@seathold/client';
import { useState } from 'react';
import { personalApi, useList } from '../../api/index.ts';
import { ACTIONS, type Column, DataTable, EmptyState, Page, Time } from '../../ui/index.ts';
import { GuardedButton } from '../frame/index.ts';
import { useCatalogueText } from './messages.ts';
import { ProductDialog } from './product-dialog.tsx';

/** The products that licenses are for. */
export function ProductsScreen() {
  const t = useCatalogueText();
  const [edited, setEdited] = useState<Product | 'new'>();
  const list = useList(['staff', 'products'], (page, signal) => personalApi().operator.listProducts(page, { signal }));
  const create = (
    <GuardedButton needs="owner" onClick={() => setEdited('new')}>
      {t('create')}
    </GuardedButton>
  );
  return (
    <Page title={t('products')} about={t('products_about')} actions={create}>
      <DataTable
        label={t('products')}
        columns={useColumns(setEdited)}
        list={list}
        keyOf={({ key }) => key}
        empty={
          <EmptyState icon="app" title={t('products_empty')} text={t('products_empty_text')}>
            {create}
          </EmptyState>
        }
      />
      {edited !== undefined && (
        <ProductDialog {...(edited === 'new' ? {} : { product: edited })} close={() => setEdited(undefined)} />
      )}
    </Page>
  );
}

function useColumns(edit: (product: Product) => void): ReadonlyArray<Column<Product>> {
  const t = useCatalogueText();
  return [
    { title: t('name'), show: ({ name }) => name },
    { title: t('key'), show: ({ key }) => <code>{key}</code> },
    {
      title: t('features'),
      show: ({ features, source }) =>
        source === 'derived'
          ? t('derived')
          : Object.values(features)
              .map(({ name }) => name)
              .join(', ') || '–',
    },
    { title: t('updated'), show: ({ updated_at: at }) => <Time at={at} /> },
    {
      title: ACTIONS,
      isNumber: true,
      show: (product) => (
        <GuardedButton
          needs="owner"
          size="compact-xs"
          variant="default"
          aria-label={t('edit_of', { name: product.name })}
          onClick={() => edit(product)}
        >
          {t('edit')}
        </GuardedButton>
      ),
    },
  ];
}
