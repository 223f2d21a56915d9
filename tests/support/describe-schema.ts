import type pg from 'pg';

const OURS = `('quorate', 'public')`;
/** Without those of the embedded auth service, which it is given beside the schema. */
const rights = (acl: string) =>
  `coalesce((select string_agg(case x.grantee when 0 then 'public' else x.grantee::regrole::text end || '=' || x.privilege_type, ','
    order by x.grantee::regrole::text, x.privilege_type) from aclexplode(${acl}) x
    where x.grantee::regrole::text <> 'supabase_auth_admin'), '')`;

/** Everything that a schema file can say, by kind: each a query of names and definitions. */
const KINDS: Record<string, string> = {
  table: `select c.oid::regclass as name, concat_ws(' ', c.relpersistence::text, c.relrowsecurity, c.relforcerowsecurity, c.reloptions,
      ${rights(`coalesce(c.relacl, acldefault((case c.relkind when 'S' then 's' else 'r' end)::"char", c.relowner))`)}) as definition
    from pg_class c where c.relnamespace::regnamespace::text in ${OURS} and c.relkind in ('r', 'v', 'm', 'S')`,
  columns: `select c.oid::regclass as name, string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      pg_get_expr(d.adbin, d.adrelid), a.attidentity::text, a.attgenerated::text, ${rights('a.attacl')}), ', ' order by a.attnum) as definition
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace::regnamespace::text in ${OURS} and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped group by c.oid`,
  constraint: `select conrelid::regclass || ' ' || conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace::regnamespace::text in ${OURS} and conrelid <> 0`,
  domain: `select t.oid::regtype as name, concat_ws(' ', format_type(t.typbasetype, null), pg_get_constraintdef(k.oid), ${rights('t.typacl')}) as definition
    from pg_type t left join pg_constraint k on k.contypid = t.oid where t.typnamespace::regnamespace::text in ${OURS} and t.typtype in ('d', 'e')`,
  index: `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace::regnamespace::text in ${OURS}`,
  policy: `select p.polrelid::regclass || ' ' || p.polname as name, concat_ws(' ', p.polcmd::text, p.polpermissive,
      array(select r::regrole::text from unnest(p.polroles) r order by 1), 'using', pg_get_expr(p.polqual, p.polrelid),
      'check', pg_get_expr(p.polwithcheck, p.polrelid)) as definition
    from pg_policy p join pg_class c on c.oid = p.polrelid where c.relnamespace::regnamespace::text in ${OURS}`,
  trigger: `select t.tgrelid::regclass || ' ' || t.tgname as name, t.tgenabled::text || ' ' || pg_get_triggerdef(t.oid) as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and c.relnamespace::regnamespace::text in ${OURS}`,
  function: `select p.oid::regprocedure as name,
      pg_get_functiondef(p.oid) || ' ' || ${rights(`coalesce(p.proacl, acldefault('f', p.proowner))`)} as definition
    from pg_proc p where p.pronamespace::regnamespace::text in ${OURS} and p.prokind = 'f'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  schema: `select nspname as name, ${rights('nspacl')} as definition from pg_namespace where nspname in ${OURS}`,
};

/** Our part of a database as its catalogue has it: 'function quorate.notify(…)' to its definition. Comments and line breaks do not count. */
export async function describeSchema(client: Pick<pg.ClientBase, 'query'>): Promise<Record<string, string>> {
  const described: Record<string, string> = {};
  for (const [kind, text] of Object.entries(KINDS)) {
    const { rows } = await client.query<{ name: string; definition: string }>(text);
    for (const { name, definition } of rows) described[`${kind} ${name}`] = inOneLine(definition);
  }
  return described;
}

/** Whatever stands in quotes stays as it is. */
const inOneLine = (sql: string) =>
  sql
    .replaceAll(/('(?:[^']|'')*')|--[^\n]*|\s+/g, (_, quoted?: string) => quoted ?? ' ')
    .replaceAll(/('(?:[^']|'')*')|\s*([(),])\s*|\s+/g, (_, quoted?: string, mark?: string) => quoted ?? mark ?? ' ')
    .trim();
