-- Which origins the redirect URIs of living OAuth apps have. A browser's preflight carries no token, so whether a site may
-- ask at all is looked up by the origin alone: a routing table, like those of tokens and slugs.
create table oauth_app_origins (
  -- As browsers write it in the header Origin.
  origin text not null,
  organization_id text not null,
  app_id text not null,
  primary key (origin, organization_id, app_id),
  foreign key (organization_id, app_id) references oauth_apps on delete cascade
);
create index oauth_app_origins_of_app on oauth_app_origins (organization_id, app_id);

-- Redirect URIs are kept as browsers write them, so their beginning is the origin.
insert into oauth_app_origins (origin, organization_id, app_id)
select distinct substring(u.uri from '^https?://[^/?#]+'), a.organization_id, a.id
from oauth_apps a cross join unnest(a.redirect_uris) as u (uri)
where a.deleted_at is null and u.uri ~ '^https?://';
