import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CopyButton, CopyId } from '../../ui/index.ts';
import { WithDetail } from './with-detail.tsx';

/** An ID as the link to its page in the staff area. */
export function LinkedId({ id, to }: { id: string; to: string }) {
  return (
    <span className="id short">
      <Anchor component={Link} to={to} fz="inherit" style={{ minWidth: 0 }}>
        <code title={id} style={{ display: 'block' }}>
          {id}
        </code>
      </Anchor>
      <CopyButton text={id} />
    </span>
  );
}

/** A customer's ID, as the link to their page. */
export function CustomerId({ id }: { id: string }) {
  return <LinkedId id={id} to={`/staff/customers/${id}`} />;
}

/** A name as the link to its page, with the ID below. */
export function NamedId({ id, name, to }: { id: string; name: string; to: string }) {
  return (
    <div className="named">
      <WithDetail detail={<CopyId id={id} />}>
        <Anchor component={Link} to={to} fw={500} size="sm">
          {name}
        </Anchor>
      </WithDetail>
    </div>
  );
}
