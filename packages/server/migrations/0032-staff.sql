-- The vendor's own people, each with a role. What a role may do stands in the route table (http/access.ts).
create table staff_members (
  user_id text primary key references users on delete cascade,
  role text not null check (role in ('viewer', 'support', 'finance', 'owner')),
  created_at timestamptz(3) not null,
  -- The user or operator token that added them; null for the command on the server.
  created_by text
);

alter table login_sessions
  -- A staff role counts only for a login that passed two-factor. Logins of before this column have to be made anew.
  add column passed_two_factor boolean not null default false;

alter table operator_tokens
  -- A token of before this column, or of an older process, could do all there was.
  add column role text not null default 'owner' check (role in ('viewer', 'support', 'finance', 'owner')),
  -- The user or operator token that created it; null for the command on the server.
  add column created_by text;

alter table audit_entries
  -- Whether the user acted as one of the vendor's staff, not as a member.
  add column by_staff boolean not null default false;

-- Null where a program of the vendor's sent the invitation.
alter table invitations alter column invited_by drop not null;
