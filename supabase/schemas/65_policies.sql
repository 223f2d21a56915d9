-- The shipped policies, and what policies came to.

-- The shipped policies, in force from a workspace's first moment. Their author is the product: the nil id. An approval stands before what
-- leaves or pays, not before a check or a redaction inside this instance.
create function quorate.shipped_policies() returns table (name text, description text, tag text, body text)
language sql immutable set search_path = '' as $$
  values
  ('Personal data stays', 'Personal data must not leave to a connection that is not approved for personal data.', 'personal-data-stays',
$policy$// Personal data stays with connections that somebody approved for it.
// What is built into this instance sends nothing anywhere.
@id("personal_data_leaves")
@verdict("deny")
@reason("policyPersonalDataLeaves")
forbid(principal, action, resource)
when { !context.personalData.isEmpty() }
unless { resource.connection.personalDataAllowed || resource.connection.builtin };
$policy$),
  ('High risk needs an approver', 'After a high-risk finding, a named approver decides before anything leaves this instance.',
    'high-risk-needs-an-approver',
$policy$// After a high-risk finding a named person decides on every call that leaves this instance.
// What is built into it checks, redacts and computes: it pays nobody and sends nothing anywhere.
@id("high_risk_finding")
@verdict("require_approval")
@reason("policyHighRiskNeedsApprover")
forbid(principal, action, resource)
when { context.risk == "high" }
unless { resource.connection.builtin };
$policy$),
  ('Only approved definitions', 'A tool whose definition changed, or was never approved, may not be called.', 'only-approved-definitions',
$policy$// A tool or an agent's skill is called only as it was approved.
@id("definition_approved")
@verdict("deny")
@reason("policyCapabilityNotApproved")
forbid(principal, action, resource)
unless { resource.state == "approved" };
$policy$)
$$;

create function quorate.put_shipped_policies_in_force() returns trigger language plpgsql security definer set search_path = '' as $$
declare p record; v_artifact uuid; v_version uuid; v_nobody constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  for p in select * from quorate.shipped_policies() loop
    v_artifact := quorate.make_id();
    v_version := quorate.make_id();
    insert into quorate.artifacts (id, workspace_id, kind, name, description, owner_id, tags, status)
      values (v_artifact, new.id, 'policy', p.name, p.description, v_nobody, array['shipped', p.tag], 'inactive');
    -- the hash is over the canonical JSON (RFC 8785) of the document: keys in order, strings as JSON escapes them
    insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id)
    values (v_version, new.id, v_artifact, 1, pg_catalog.jsonb_build_object('format', 'quorate.policy/1', 'text', p.body),
      pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to('{"format":"quorate.policy/1","text":' ||
        pg_catalog.to_json(p.body)::text || '}', 'UTF8')), 'hex'), v_nobody);
    update quorate.artifacts x set status = 'active', published_version_id = v_version where x.id = v_artifact;
  end loop;
  return null;
end $$;

-- Numbers alone, so that everybody who may read a policy reads the same ones.
create function quorate.count_violations(p_since timestamptz) returns int
language sql stable security definer set search_path = '' as $$
  select count(*)::int from quorate.decisions d
  where d.workspace_id = quorate.current_workspace_id() and d.decided_at >= p_since and d.verdict in ('warn', 'deny')
    and (d.verdict <> 'allow' or d.rules <> '[]'::jsonb)
$$;

create function quorate.count_policy_decisions(p_since timestamptz) returns table (policy_id text, decisions int)
language sql stable security definer set search_path = '' as $$
  select rule ->> 'policyId', count(distinct d.id)::int
    from quorate.decisions d cross join lateral pg_catalog.jsonb_array_elements(d.rules) rule
  where d.workspace_id = quorate.current_workspace_id() and d.decided_at >= p_since and (d.verdict <> 'allow' or d.rules <> '[]'::jsonb)
    group by 1
$$;

-- Where the rules of a policy would have applied that are in monitor mode. Numbers alone, like those above.
create function quorate.count_monitored(p_policy text, p_since timestamptz) returns table (rule text, verdict text, decisions int)
language sql stable security definer set search_path = '' as $$
  select m ->> 'rule', m ->> 'verdict', count(*)::int
    from quorate.decisions d cross join lateral pg_catalog.jsonb_array_elements(d.context -> 'monitored') m
  where d.workspace_id = quorate.current_workspace_id() and d.decided_at >= p_since and d.context ? 'monitored'
    and m ->> 'policyId' = p_policy
    group by 1, 2 order by 1, 2
$$;

create trigger put_shipped_policies_in_force after insert
  on quorate.workspaces for each row execute function quorate.put_shipped_policies_in_force();

revoke all on function quorate.shipped_policies(), quorate.put_shipped_policies_in_force(), quorate.count_violations(timestamptz),
  quorate.count_policy_decisions(timestamptz), quorate.count_monitored(text, timestamptz) from public;
grant execute on function quorate.count_violations(timestamptz), quorate.count_policy_decisions(timestamptz),
  quorate.count_monitored(text, timestamptz) to quorate_member;
