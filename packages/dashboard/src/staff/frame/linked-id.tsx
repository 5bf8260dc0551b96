import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CopyButton, CopyId } from '../../ui/index.ts';
import './frame.css';

/** The id of something with a page of its own among the staff's screens, as the link to it. */
export function LinkedId({ id, to }: { id: string; to: string }) {
  return (
    <span className="id">
      <Anchor component={Link} to={to} size="sm" style={{ minWidth: 0 }}>
        <code title={id} style={{ display: 'block' }}>
          {id}
        </code>
      </Anchor>
      <CopyButton text={id} />
    </span>
  );
}

/** A customer's id, as the link to their page. */
export function CustomerId({ id }: { id: string }) {
  return <LinkedId id={id} to={`/staff/customers/${id}`} />;
}

/** The name of something as the link to its page, with its id below. */
export function NamedId({ id, name, to }: { id: string; name: string; to: string }) {
  return (
    <div style={{ minWidth: '11rem' }}>
      <Anchor component={Link} to={to} fw={500} size="sm">
        {name}
      </Anchor>
      <div className="quiet-id">
        <CopyId id={id} />
      </div>
    </div>
  );
}
