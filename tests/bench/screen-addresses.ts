/** Addresses of the dashboard's screens on a workspace with a history, with their filters, sorts and deep pages. */
import type pg from 'pg';

/** Things of the workspace that screens are about, deep ids for the pages far behind. */
export type Places = Record<
  | 'run'
  | 'deepRun'
  | 'workflow'
  | 'approval'
  | 'task'
  | 'decision'
  | 'deepDecision'
  | 'event'
  | 'policy'
  | 'member'
  | 'plugin'
  | 'agent'
  | 'model'
  | 'deepDelivery'
  | 'deepNotice'
  | 'deepStep'
  | 'day'
  | 'yearAgo'
  | 'today'
  | 'actor',
  string
>;

/** The owner's look for them. `reader` has notifications. */
export async function findPlaces(client: pg.ClientBase | pg.Pool, workspaceId: string, reader: string): Promise<Places> {
  const { rows } = await client.query(
    `select
      (select id from quorate.runs where workspace_id = $1 and status = 'completed' order by created_at desc limit 1) as run,
      (select id from quorate.runs where workspace_id = $1 order by created_at limit 1 offset 60) as "deepRun",
      (select artifact_id from quorate.runs where workspace_id = $1 group by 1 order by count(*) desc limit 1) as workflow,
      (select id from quorate.approvals where workspace_id = $1 and status = 'pending' order by due_at limit 1) as approval,
      (select id from quorate.human_tasks where workspace_id = $1 and status = 'pending' order by due_at limit 1) as task,
      (select id from quorate.decisions where workspace_id = $1 and verdict <> 'allow' order by decided_at desc limit 1) as decision,
      (select id from quorate.decisions where workspace_id = $1 order by decided_at limit 1 offset 60) as "deepDecision",
      (select id from quorate.audit_events where workspace_id = $1 order by at desc, id desc limit 1 offset 40) as event,
      (select actor_id from quorate.audit_events where workspace_id = $1 and actor_id is not null order by at desc limit 1 offset 40) as actor,
      (select id from quorate.artifacts where workspace_id = $1 and kind = 'policy' order by name limit 1) as policy,
      (select user_id from quorate.members where workspace_id = $1 order by name limit 1) as member,
      (select id from quorate.connections where workspace_id = $1 and kind = 'mcp' and deleted_at is null order by name limit 1) as plugin,
      (select id from quorate.connections where workspace_id = $1 and kind = 'a2a' and deleted_at is null order by name limit 1) as agent,
      (select id from quorate.deliveries where workspace_id = $1 order by created_at limit 1 offset 60) as "deepDelivery",
      (select id from quorate.notifications where workspace_id = $1 and user_id = $2 order by created_at limit 1 offset 20) as "deepNotice",
      (select run_id || ':' || path from quorate.steps where workspace_id = $1 and candidates is not null order by started_at limit 1 offset 60) as "deepStep",
      to_char(now() - interval '200 days', 'YYYY-MM-DD') as day, to_char(now() - interval '364 days', 'YYYY-MM-DD') as "yearAgo", to_char(now(), 'YYYY-MM-DD') as today`,
    [workspaceId, reader],
  );
  return rows[0];
}

/** With an id, where the page of a list by time begins. */
const MOMENT = '2026-01-01T00:00:00.000000Z';
const WINDOWS = ['24h', '7d', '30d', '90d'];
const RUN_STATUSES = ['pending', 'processing', 'waiting', 'completed', 'failed', 'cancelled'];

/** By pattern of the route, what is asked of it: the address as one comes, and with everything that its forms can ask. */
export function screenAddresses(at: Places): Record<string, string[]> {
  const windows = (path: string, more = '') => [
    `${path}${more === '' ? '' : `?${more}`}`,
    ...WINDOWS.map((name) => `${path}?window=${name}${more === '' ? '' : `&${more}`}`),
    `${path}?from=${at.yearAgo}&until=${at.today}${more === '' ? '' : `&${more}`}`,
  ];
  const d = '/dashboard';
  return {
    '/dashboard': [d],
    '/dashboard/arrange': [`${d}/arrange`],
    '/dashboard/workflows': ['', '?owner=me', '?q=review', '?q=nothing-like-it', '?sort=-executions', '?sort=lastRun'].map(
      (q) => `${d}/workflows${q}`,
    ),
    '/dashboard/workflows/:workflow': [`${d}/workflows/${at.workflow}`],
    '/dashboard/workflows/:workflow/versions/:number': [`${d}/workflows/${at.workflow}/versions/1`],
    '/dashboard/workflows/:workflow/run': [`${d}/workflows/${at.workflow}/run`],
    '/dashboard/workflows/templates': [`${d}/workflows/templates`],
    '/dashboard/workflows/new': [`${d}/workflows/new`],
    '/dashboard/workflows/import': [`${d}/workflows/import`],
    '/dashboard/workflows/:workflow/file': [`${d}/workflows/${at.workflow}/file?version=1`],
    '/dashboard/workflows/advanced': [`${d}/workflows/advanced`],
    '/dashboard/workflows/advanced/new-schedule': [`${d}/workflows/advanced/new-schedule`],
    '/dashboard/workflows/advanced/new-webhook': [`${d}/workflows/advanced/new-webhook`],
    '/dashboard/runs': [
      `${d}/runs`,
      ...RUN_STATUSES.map((status) => `${d}/runs?status=${status}`),
      `${d}/runs?after=${at.deepRun}${MOMENT}`,
      ...['started', '-status', 'mode', '-workflow', 'initiator', '-active'].map((sort) => `${d}/runs?sort=${sort}`),
      ...[
        'trigger=webhook',
        'cost=10000000',
        'seconds=86400',
        'error=peerTimeout',
        'from=2026-01-01',
        'status=failed&seconds=3600',
        'q=Case+77',
        'q=Müller',
        'q=se',
        'q=Müller&status=failed',
      ].map((filter) => `${d}/runs?${filter}`),
      `${d}/runs?workflow=${at.workflow}`,
      `${d}/runs?workflow=${at.workflow}&status=waiting`,
      `${d}/runs?workflow=${at.workflow}&status=pending&after=${at.run}${MOMENT}`,
      `${d}/runs?workflow=${at.workflow}&status=failed&after=${at.deepRun}${MOMENT}`,
    ],
    '/dashboard/runs/several': [`${d}/runs/several?do=cancel&run=${at.run}&run=${at.deepRun}`],
    '/dashboard/runs/:run': [`${d}/runs/${at.run}`, `${d}/runs/${at.deepRun}`],
    '/dashboard/runs/:run/change': [`${d}/runs/${at.run}/change?step=assess`, `${d}/runs/${at.run}/change?step=assess&data=output%3Ascan`],
    '/dashboard/runs/:run/compare': [`${d}/runs/${at.run}/compare`],
    '/dashboard/runs/:run/items': ['', '&page=200', '&only=failed'].map((more) => `${d}/runs/${at.run}/items?loop=lines${more}`),
    '/dashboard/runs/:run/item': [`${d}/runs/${at.run}/item?item=lines%2F7`],
    '/dashboard/runs/:run/again': [`${d}/runs/${at.run}/again`, `${d}/runs/${at.run}/again?step=assess`],
    '/dashboard/approvals': [
      `${d}/approvals`,
      ...['approved', 'consumed', 'rejected', 'expired', 'withdrawn', 'all'].map((status) => `${d}/approvals?status=${status}`),
      `${d}/approvals?risk=low`,
      `${d}/approvals?due=day`,
      `${d}/approvals?workflow=${at.workflow}`,
      `${d}/approvals?after=open.${at.approval}`,
      `${d}/approvals?status=all&after=mine.${at.approval}`,
      `${d}/approvals?status=consumed&after=closed.${at.approval}`,
    ],
    '/dashboard/tasks/:task': [`${d}/tasks/${at.task}`],
    '/dashboard/tasks/:task/pass': [`${d}/tasks/${at.task}/pass`],
    '/dashboard/approvals/:approval': [`${d}/approvals/${at.approval}`],
    '/dashboard/search': ['', '?q=review', '?q=recrods', '?q=release', '?q=noor', `?q=${at.run.slice(0, 13)}`].map(
      (q) => `${d}/search${q}`,
    ),
    '/dashboard/notifications': [
      `${d}/notifications`,
      ...['unread', 'approval', 'failure', 'quota', 'changed_tool', 'invitation'].map((show) => `${d}/notifications?show=${show}`),
      `${d}/notifications?before=${at.deepNotice}`,
    ],
    '/dashboard/notifications/preferences': [`${d}/notifications/preferences`],
    '/dashboard/notifications/deliveries': [
      `${d}/notifications/deliveries?sort=created`,
      `${d}/notifications/deliveries?status=failed&kind=webhook`,

      `${d}/notifications/deliveries`,
      `${d}/notifications/deliveries?after=${at.deepDelivery}${MOMENT}`,
    ],
    '/dashboard/agents': [`${d}/agents`],
    '/dashboard/agents/monitoring': windows(`${d}/agents/monitoring`),
    '/dashboard/agents/:connection': [`${d}/agents/${at.agent}`],
    '/dashboard/agents/new': [`${d}/agents/new`],
    '/dashboard/my-agents': [`${d}/my-agents`],
    '/dashboard/plugins': [`${d}/plugins`],
    '/dashboard/plugins/:connection': [`${d}/plugins/${at.plugin}`],
    '/dashboard/plugins/gateways': [`${d}/plugins/gateways`],
    '/dashboard/plugins/new': [`${d}/plugins/new`],
    '/dashboard/plugins/integrations': [`${d}/plugins/integrations`],
    '/dashboard/llm-hub': [`${d}/llm-hub`],
    '/dashboard/marketplace': [`${d}/marketplace`, `${d}/marketplace?q=github`],
    '/dashboard/marketplace/registries': [`${d}/marketplace/registries`],
    // No history has one: what it reads is the same for an address that leads nowhere.
    '/dashboard/marketplace/registries/:registry/:server': [`${d}/marketplace/registries/${at.plugin}/example.acme~none`],
    '/dashboard/marketplace/:server': [`${d}/marketplace/github`],
    '/dashboard/analytics': windows(`${d}/analytics`),
    '/dashboard/analytics/advanced': windows(`${d}/analytics/advanced`),
    '/dashboard/ai-orchestration': [
      `${d}/ai-orchestration`,
      `${d}/ai-orchestration?only=choices`,
      `${d}/ai-orchestration?before=${encodeURIComponent(at.deepStep)}`,
      `${d}/ai-orchestration?task=Detect+personal+data+in+a+text&inputs=text`,
    ],
    '/dashboard/ai-orchestration/process-intelligence': [
      ...windows(`${d}/ai-orchestration/process-intelligence`),
      ...windows(`${d}/ai-orchestration/process-intelligence`, `workflow=${at.workflow}`),
    ],
    '/dashboard/ai-orchestration/process-optimization': windows(`${d}/ai-orchestration/process-optimization`),
    '/dashboard/ai-reasoning': [
      ...windows(`${d}/ai-reasoning`),
      ...['allow', 'warn', 'require_approval', 'deny'].flatMap((verdict) => windows(`${d}/ai-reasoning`, `verdict=${verdict}`)),
      ...windows(`${d}/ai-reasoning`, `policy=${at.policy}`),
      ...windows(`${d}/ai-reasoning`, `workflow=${at.workflow}`),
      ...windows(`${d}/ai-reasoning`, `verdict=deny&workflow=${at.workflow}`),
      `${d}/ai-reasoning?from=${at.yearAgo}&until=${at.today}&after=${at.deepDecision}${MOMENT}`,
    ],
    '/dashboard/ai-reasoning/:decision': [`${d}/ai-reasoning/${at.decision}`],
    '/dashboard/ai-reasoning/:decision/what-if': [`${d}/ai-reasoning/${at.decision}/what-if`],
    '/dashboard/dev-console': [`${d}/dev-console`, `${d}/dev-console?before=${at.deepDelivery}`],
    '/dashboard/dev-console/inspector': [`${d}/dev-console/inspector`],
    '/dashboard/changes': [`${d}/changes`],
    // No history has one: what it reads is the same for an address that leads nowhere.
    '/dashboard/changes/:change': [`${d}/changes/${at.plugin}`],
    '/dashboard/changes/:change/record': [`${d}/changes/${at.plugin}/record`],
    '/dashboard/policies': [`${d}/policies`],
    '/dashboard/policies/:policy': [`${d}/policies/${at.policy}`],
    '/dashboard/policies/:policy/edit': [`${d}/policies/${at.policy}/edit`],
    '/dashboard/policies/:policy/edit/new-rule': [`${d}/policies/${at.policy}/edit/new-rule`],
    '/dashboard/policies/:policy/edit/rules/:rule': [`${d}/policies/${at.policy}/edit/rules/high_risk_finding`],
    '/dashboard/policies/:policy/edit/examples/:example': [`${d}/policies/${at.policy}/edit/examples/new`],
    '/dashboard/policies/:policy/versions/:number': [`${d}/policies/${at.policy}/versions/1`],
    '/dashboard/policies/compliance': [`${d}/policies/compliance`],
    '/dashboard/agents/inventory': [`${d}/agents/inventory`, `${d}/agents/inventory?owner=unowned`],
    '/dashboard/agents/inventory/:agent/assessment': [`${d}/agents/inventory/${at.agent}/assessment`],
    '/dashboard/agents/inventory/:agent': [`${d}/agents/inventory/${at.agent}`],
    '/dashboard/policies/compliance/incidents': [`${d}/policies/compliance/incidents`],
    '/dashboard/policies/compliance/incidents/:incident': [`${d}/policies/compliance/incidents/${at.run}`],
    '/dashboard/policies/compliance/incidents/:incident/:act': [`${d}/policies/compliance/incidents/${at.run}/report`],
    '/dashboard/policies/compliance/incidents/new': [`${d}/policies/compliance/incidents/new`],
    '/dashboard/policies/compliance/attest/:control': [`${d}/policies/compliance/attest/keys`],
    '/dashboard/policies/compliance/:regulation': [`${d}/policies/compliance/gdpr`],
    '/dashboard/audit': [
      [
        '',
        '?sort=timestamp',
        `?after=${at.event}${MOMENT}`,
        '?action=run.completed',
        '?action=workspace.created',
        '?action=nothing.such',
        `?user=${at.actor}`,
        '?user=quorate',
      ],
      ['?resource=run', `?resource=${at.run}`, '?resource=review', '?resource=nothing-like-it', `?user=${at.actor}&action=run.started`],
      [
        `?from=${at.day}&until=${at.day}`,
        `?from=${at.yearAgo}&after=${at.event}${MOMENT}`,
        `?user=${at.actor}&resource=nothing-like-it&from=${at.day}`,
      ],
    ]
      .flat()
      .map((q) => `${d}/audit${q}`),
    '/dashboard/audit/proof': [`${d}/audit/proof`],
    '/dashboard/audit/export': [`${d}/audit/export?kind=log&from=0&until=9999`],
    '/dashboard/audit/packs': [`${d}/audit/packs`, `${d}/audit/packs?framework=ai-act&from=${at.day}&until=${at.day}&seed=bench`],
    '/dashboard/audit/checkpoints': [`${d}/audit/checkpoints`, `${d}/audit/checkpoints?page=15`],
    '/dashboard/audit/runs/:run': [`${d}/audit/runs/${at.run}`],
    '/dashboard/audit/:event': [`${d}/audit/${at.event}`],
    '/dashboard/admin': [`${d}/admin`],
    '/dashboard/admin-tools': [`${d}/admin-tools`],
    '/dashboard/admin/members': [`${d}/admin/members`, `${d}/admin/members?sort=-since`, `${d}/admin/members?q=noor`],
    '/dashboard/admin/members/:user': [`${d}/admin/members/${at.member}`],
    '/dashboard/admin/health': [`${d}/admin/health`],
    '/dashboard/admin/api-keys': [`${d}/admin/api-keys`],
    '/dashboard/admin/halt': [`${d}/admin/halt`],
    '/dashboard/admin/sign-in': [`${d}/admin/sign-in`],
    '/dashboard/admin/sign-in/groups': [`${d}/admin/sign-in/groups`],
    '/dashboard/admin/sign-in/saml': [`${d}/admin/sign-in/saml`],
    '/dashboard/admin/provisioning/new': [`${d}/admin/provisioning/new`],
    '/dashboard/admin/provisioning/:token/revoke': [`${d}/admin/provisioning/${at.run}/revoke`],
    '/dashboard/admin/provisioning': [`${d}/admin/provisioning`],
    '/dashboard/admin/tenant': [`${d}/admin/tenant`],
    '/dashboard/admin/billing': [`${d}/admin/billing`],
    '/dashboard/admin/billing/:plan': [`${d}/admin/billing/starter`],
    '/dashboard/admin/monitoring': [`${d}/admin/monitoring`],
    '/dashboard/admin/performance': windows(`${d}/admin/performance`),
    '/dashboard/admin/security': [`${d}/admin/security`],
    '/dashboard/appearance': [`${d}/appearance`],
    '/dashboard/help': [`${d}/help`],
    '/dashboard/account': [`${d}/account`],
    '/dashboard/account/profile': [`${d}/account/profile`],
    '/dashboard/account/preferences': [`${d}/account/preferences`],
    '/dashboard/account/sessions': [`${d}/account/sessions`],
    '/dashboard/account/security': [`${d}/account/security`],
    '/dashboard/account/api-keys': [`${d}/account/api-keys`],
    '/dashboard/account/data': [`${d}/account/data`],
    // Forms and tasks; where the workspace holds no such thing, what is asked of the database is the same.
    '/dashboard/workflows/advanced/:trigger/delete': [`${d}/workflows/advanced/${at.run}/delete`],
    '/dashboard/workflows/:workflow/edit': [`${d}/workflows/${at.workflow}/edit`],
    '/dashboard/workflows/:workflow/edit/add': [`${d}/workflows/${at.workflow}/edit/add`],
    '/dashboard/workflows/:workflow/edit/input': [`${d}/workflows/${at.workflow}/edit/input`],
    '/dashboard/workflows/:workflow/edit/settings': [`${d}/workflows/${at.workflow}/edit/settings`],
    '/dashboard/workflows/:workflow/edit/samples': [`${d}/workflows/${at.workflow}/edit/samples`],
    '/dashboard/workflows/:workflow/edit/json': [`${d}/workflows/${at.workflow}/edit/json`],
    '/dashboard/workflows/:workflow/edit/step/*': [`${d}/workflows/${at.workflow}/edit/step/scan`],
    '/dashboard/workflows/:workflow/publish': [`${d}/workflows/${at.workflow}/publish`],
    '/dashboard/workflows/:workflow/delete': [`${d}/workflows/${at.workflow}/delete`],
    '/dashboard/approvals/next': [`${d}/approvals/next`],
    '/dashboard/approvals/deputies': [`${d}/approvals/deputies`],
    '/dashboard/approvals/:approval/together': [`${d}/approvals/${at.approval}/together`],
    '/dashboard/approvals/:approval/record': [`${d}/approvals/${at.approval}/record`],
    '/dashboard/approvals/:approval/talk': [`${d}/approvals/${at.approval}/talk`],
    '/dashboard/approvals/:approval/withdraw': [`${d}/approvals/${at.approval}/withdraw`],
    '/dashboard/notifications/preferences/secret': [`${d}/notifications/preferences/secret`],
    '/dashboard/agents/:connection/limits': [`${d}/agents/${at.agent}/limits`],
    '/dashboard/agents/:connection/disconnect': [`${d}/agents/${at.agent}/disconnect`],
    '/dashboard/plugins/:connection/limits': [`${d}/plugins/${at.plugin}/limits`],
    '/dashboard/plugins/:connection/disconnect': [`${d}/plugins/${at.plugin}/disconnect`],
    '/dashboard/plugins/:connection/rotate': [`${d}/plugins/${at.plugin}/rotate`],
    '/dashboard/plugins/:connection/sign-in': [`${d}/plugins/${at.plugin}/sign-in`],
    '/dashboard/plugins/sign-in/return': [`${d}/plugins/sign-in/return`],
    '/dashboard/plugins/integrations/new': [`${d}/plugins/integrations/new`],
    '/dashboard/plugins/integrations/:connection': [`${d}/plugins/integrations/${at.plugin}`],
    '/dashboard/plugins/integrations/:connection/limits': [`${d}/plugins/integrations/${at.plugin}/limits`],
    '/dashboard/plugins/integrations/:connection/disconnect': [`${d}/plugins/integrations/${at.plugin}/disconnect`],
    '/dashboard/plugins/integrations/:connection/rotate': [`${d}/plugins/integrations/${at.plugin}/rotate`],
    '/dashboard/llm-hub/new': [`${d}/llm-hub/new`],
    '/dashboard/llm-hub/:connection': [`${d}/llm-hub/${at.plugin}`],
    '/dashboard/llm-hub/:connection/prices': [`${d}/llm-hub/${at.plugin}/prices`],
    '/dashboard/llm-hub/:connection/limits': [`${d}/llm-hub/${at.plugin}/limits`],
    '/dashboard/llm-hub/:connection/disconnect': [`${d}/llm-hub/${at.plugin}/disconnect`],
    '/dashboard/llm-hub/:connection/rotate': [`${d}/llm-hub/${at.plugin}/rotate`],
    '/dashboard/dev-console/inspector/:run': [`${d}/dev-console/inspector/${at.run}`],
    '/dashboard/policies/new': [`${d}/policies/new`],
    '/dashboard/policies/:policy/replay': [`${d}/policies/${at.policy}/replay`],
    '/dashboard/admin/members/invite': [`${d}/admin/members/invite`],
    '/dashboard/admin/members/:user/remove': [`${d}/admin/members/${at.member}/remove`],
    '/dashboard/admin/sign-in/new': [`${d}/admin/sign-in/new`],
    '/dashboard/admin/sign-in/new-saml': [`${d}/admin/sign-in/new-saml`],
    '/dashboard/admin/sign-in/:provider': [`${d}/admin/sign-in/${at.run}`],
    '/dashboard/admin/sign-in/:provider/test': [`${d}/admin/sign-in/${at.run}/test`],
    '/dashboard/admin/tenant/secret': [`${d}/admin/tenant/secret`],
    '/dashboard/help/design': [`${d}/help/design`],
    '/dashboard/help/:guide': [`${d}/help/connect-a-tool`],
    '/dashboard/account/workspaces/new': [`${d}/account/workspaces/new`],
    '/dashboard/account/profile/picture': [`${d}/account/profile/picture`],
    '/dashboard/account/security/factor': [`${d}/account/security/factor`],
    '/dashboard/account/security/passkeys': [`${d}/account/security/passkeys`],
    '/dashboard/account/security/passkeys/:passkey': [`${d}/account/security/passkeys/${at.run}`],
    '/dashboard/account/data/delete': [`${d}/account/data/delete`],
    '/dashboard/account/authorize/:request': [`${d}/account/authorize/refused`],
    '/dashboard/account/api-keys/new': [`${d}/account/api-keys/new`],
    '/dashboard/account/api-keys/revoke': [`${d}/account/api-keys/revoke?key=${at.run}`],
    '/dashboard/account/api-keys/:key/revoke': [`${d}/account/api-keys/${at.run}/revoke`],
    '/dashboard/agents/authored/new': [`${d}/agents/authored/new`],
    '/dashboard/agents/authored/:agent': [`${d}/agents/authored/${at.workflow}`],
    '/dashboard/agents/authored/:agent/edit': [`${d}/agents/authored/${at.workflow}/edit`],
    '/dashboard/agents/authored/:agent/run': [`${d}/agents/authored/${at.workflow}/run`],
    '/dashboard/agents/authored/:agent/delete': [`${d}/agents/authored/${at.workflow}/delete`],
    '/dashboard/agents/authored/:agent/versions/:number': [`${d}/agents/authored/${at.workflow}/versions/1`],
    '/dashboard/plugins/local': [`${d}/plugins/local`],
    '/dashboard/plugins/gateways/new': [`${d}/plugins/gateways/new`],
    '/dashboard/plugins/gateways/:gateway': [`${d}/plugins/gateways/${at.plugin}`],
    '/dashboard/plugins/gateways/:gateway/add': [`${d}/plugins/gateways/${at.plugin}/add`],
    '/dashboard/plugins/gateways/:gateway/delete': [`${d}/plugins/gateways/${at.plugin}/delete`],
    '/dashboard/plugins/gateways/:gateway/tools/:tool': [`${d}/plugins/gateways/${at.plugin}/tools/${at.plugin}`],
    '/dashboard/plugins/gateways/:gateway/tools/:tool/remove': [`${d}/plugins/gateways/${at.plugin}/tools/${at.plugin}/remove`],
    '/dashboard/admin/contact-requests': [`${d}/admin/contact-requests`],
    '/dashboard/admin/contact-requests/:request': [`${d}/admin/contact-requests/${at.run}`],
    '/dashboard/*': [`${d}/nowhere-at-all`],
  };
}
