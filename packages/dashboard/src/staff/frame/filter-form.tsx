import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useStaffText } from './messages.ts';

/** A filter: free text, or one of these values. */
interface Filter<Name extends string> {
  name: Name;
  label: string;
  values?: ReadonlyArray<{ value: string; label: string }>;
  type?: 'date';
  /** The label when nothing is chosen. */
  none?: string;
}

/** The filters of a list. */
export function FilterForm<Name extends string>(props: {
  fields: ReadonlyArray<Filter<Name>>;
  filters: Partial<Record<Name, string>>;
  choose: (filters: Partial<Record<Name, string>>) => void;
}) {
  const { fields, filters, choose } = props;
  const t = useStaffText();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const chosen: Partial<Record<Name, string>> = {};
    for (const { name } of fields) {
      chosen[name] = String(form.get(name) ?? '');
    }
    choose(chosen);
  };
  return (
    // Rendered again when the URL changes, so that the fields match the list.
    <form key={JSON.stringify(filters)} onSubmit={send}>
      <Group gap="xs" align="flex-end">
        {fields.map((field) => (
          <Field key={field.name} field={field} value={filters[field.name] ?? ''} />
        ))}
        <Button size="xs" type="submit">
          {t('filter')}
        </Button>
        <Button size="xs" variant="default" onClick={() => choose({})}>
          {t('clear')}
        </Button>
      </Group>
    </form>
  );
}

function Field<Name extends string>({ field, value }: { field: Filter<Name>; value: string }) {
  const t = useStaffText();
  const { name, label, values, type, none = t('all') } = field;
  return values === undefined ? (
    <TextInput size="xs" name={name} label={label} defaultValue={value} maxLength={200} type={type ?? 'text'} />
  ) : (
    <NativeSelect
      size="xs"
      name={name}
      label={label}
      defaultValue={value}
      data={[{ value: '', label: none }, ...values]}
    />
  );
}
