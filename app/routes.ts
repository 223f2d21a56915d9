import { index, prefix, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/public/home.tsx'),
  route('app/*', 'routes/public/app-redirect.ts'),
  route('preferences/language', 'routes/public/preferences/language.ts'),
  route('preferences/appearance', 'routes/public/preferences/appearance.ts'),
  route('preferences/sidebar', 'routes/public/preferences/sidebar.ts'),
  route('preferences/scripts', 'routes/public/preferences/scripts.ts'),
  route('preferences/consent', 'routes/public/preferences/consent.ts'),
  route('newsletter', 'routes/public/newsletter.tsx'),
  route('api/placeholder/:width/:height', 'routes/api/placeholder.ts'),

  route('auth', 'routes/auth/auth.tsx'),
  route('auth/confirm', 'routes/auth/confirm.tsx'),
  route('auth/sign-out', 'routes/auth/sign-out.tsx'),
  route('auth/calls', 'routes/auth/calls.ts'),
  route('reset-password', 'routes/auth/reset-password.tsx'),
  route('invitations/:token', 'routes/public/invitation.tsx'),
  route('docs/mocking', 'routes/public/docs/mocking.tsx'),

  // The app area: one line an area, in the order of the sidebar.
  route('dashboard', 'routes/dashboard/layout.tsx', [
    index('routes/dashboard/home.tsx'),
    ...prefix('workflows', [
      index('routes/dashboard/workflows/list.tsx'),
      route('new', 'routes/dashboard/workflows/new.tsx'),
      route('templates', 'routes/dashboard/workflows/templates.tsx'),
      route(':workflow', 'routes/dashboard/workflows/detail.tsx'),
      route(':workflow/edit', 'routes/dashboard/workflows/edit.tsx'),
      route(':workflow/edit/input', 'routes/dashboard/workflows/input.tsx'),
      route(':workflow/edit/settings', 'routes/dashboard/workflows/settings.tsx'),
      route(':workflow/edit/json', 'routes/dashboard/workflows/json.tsx'),
      route(':workflow/edit/step/*', 'routes/dashboard/workflows/step.tsx'),
      route(':workflow/publish', 'routes/dashboard/workflows/publish.tsx'),
      route(':workflow/run', 'routes/dashboard/workflows/run.tsx'),
      route(':workflow/versions/:number', 'routes/dashboard/workflows/version.tsx'),
      route(':workflow/delete', 'routes/dashboard/workflows/delete.tsx'),
    ]),
    ...prefix('runs', [
      index('routes/dashboard/runs/list.tsx'),
      route(':run', 'routes/dashboard/runs/detail.tsx'),
      route(':run/again', 'routes/dashboard/runs/again.tsx'),
      route(':run/events', 'routes/dashboard/runs/events.ts'),
    ]),
    ...prefix('approvals', [
      index('routes/dashboard/approvals/inbox.tsx'),
      route(':approval', 'routes/dashboard/approvals/approval.tsx'),
      route(':approval/withdraw', 'routes/dashboard/approvals/withdraw.tsx'),
    ]),
    route('search', 'routes/dashboard/search/search.tsx'),
    ...prefix('notifications', [
      index('routes/dashboard/notifications/inbox.tsx'),
      route('events', 'routes/dashboard/notifications/events.ts'),
      route('preferences', 'routes/dashboard/notifications/preferences.tsx'),
      route('preferences/secret', 'routes/dashboard/notifications/secret.tsx'),
      route('deliveries', 'routes/dashboard/notifications/deliveries.tsx'),
    ]),
    ...prefix('agents', [
      index('routes/dashboard/agents/list.tsx'),
      route('new', 'routes/dashboard/agents/new.tsx'),
      route(':connection', 'routes/dashboard/agents/connection.tsx'),
      route(':connection/disconnect', 'routes/dashboard/agents/disconnect.tsx'),
    ]),
    ...prefix('plugins', [
      index('routes/dashboard/plugins/list.tsx'),
      route('new', 'routes/dashboard/plugins/new.tsx'),
      route(':connection', 'routes/dashboard/plugins/connection.tsx'),
      route(':connection/disconnect', 'routes/dashboard/plugins/disconnect.tsx'),
      route(':connection/rotate', 'routes/dashboard/plugins/rotate.tsx'),
      ...prefix('integrations', [
        index('routes/dashboard/integrations/list.tsx'),
        route('new', 'routes/dashboard/integrations/new.tsx'),
        route(':connection', 'routes/dashboard/integrations/connection.tsx'),
        route(':connection/disconnect', 'routes/dashboard/integrations/disconnect.tsx'),
        route(':connection/rotate', 'routes/dashboard/integrations/rotate.tsx'),
      ]),
    ]),
    ...prefix('llm-hub', [
      index('routes/dashboard/llm-hub/list.tsx'),
      route('new', 'routes/dashboard/llm-hub/new.tsx'),
      route(':connection', 'routes/dashboard/llm-hub/connection.tsx'),
      route(':connection/prices', 'routes/dashboard/llm-hub/prices.tsx'),
      route(':connection/disconnect', 'routes/dashboard/llm-hub/disconnect.tsx'),
      route(':connection/rotate', 'routes/dashboard/llm-hub/rotate.tsx'),
    ]),
    ...prefix('analytics', [
      index('routes/dashboard/analytics/basic.tsx'),
      route('advanced', 'routes/dashboard/analytics/advanced.tsx'),
      route('table.csv', 'routes/dashboard/analytics/table-csv.ts'),
    ]),
    ...prefix('ai-orchestration', [
      index('routes/dashboard/reasoning/routing.tsx'),
      route('process-intelligence', 'routes/dashboard/reasoning/process-intelligence.tsx'),
      route('process-optimization', 'routes/dashboard/reasoning/process-optimization.tsx'),
    ]),
    ...prefix('ai-reasoning', [
      index('routes/dashboard/reasoning/decisions.tsx'),
      route(':decision', 'routes/dashboard/reasoning/decision.tsx'),
    ]),
    ...prefix('policies', [
      index('routes/dashboard/policies/list.tsx'),
      route('new', 'routes/dashboard/policies/new.tsx'),
      route(':policy', 'routes/dashboard/policies/policy.tsx'),
      route(':policy/edit', 'routes/dashboard/policies/edit.tsx'),
    ]),
    ...prefix('audit', [
      index('routes/dashboard/audit/log.tsx'),
      route('checkpoints', 'routes/dashboard/audit/checkpoints.tsx'),
      route('checkpoints/:size', 'routes/dashboard/audit/checkpoint.ts'),
      route('runs/:run', 'routes/dashboard/audit/run.tsx'),
      route('evidence/event/:event', 'routes/dashboard/audit/evidence-event.ts'),
      route('evidence/run/:run', 'routes/dashboard/audit/evidence-run.ts'),
      route('evidence/log', 'routes/dashboard/audit/evidence-log.ts'),
      route(':event', 'routes/dashboard/audit/event.tsx'),
    ]),
    ...prefix('admin', [
      index('routes/dashboard/admin/home.tsx'),
      route('members', 'routes/dashboard/admin/members.tsx'),
      route('members/invite', 'routes/dashboard/admin/invite.tsx'),
      route('members/:user', 'routes/dashboard/admin/member-roles.tsx'),
      route('members/:user/remove', 'routes/dashboard/admin/remove-member.tsx'),
      route('health', 'routes/dashboard/admin/health.tsx'),
      route('api-keys', 'routes/dashboard/admin/api-keys.tsx'),
      route('halt', 'routes/dashboard/admin/halt.tsx'),
    ]),
    route('appearance', 'routes/dashboard/appearance.tsx'),
    route('help/design', 'routes/dashboard/help/design.tsx'),
    route('admin-tools', 'routes/dashboard/admin/home.tsx', { id: 'routes/dashboard/admin-tools' }),
    ...prefix('account', [
      index('routes/dashboard/account/home.tsx'),
      route('workspace', 'routes/dashboard/account/workspace.ts'),
      route('profile', 'routes/dashboard/account/profile.tsx'),
      route('preferences', 'routes/dashboard/account/preferences.tsx'),
      route('sessions', 'routes/dashboard/account/sessions.tsx'),
      route('api-keys', 'routes/dashboard/account/api-keys.tsx'),
      route('api-keys/new', 'routes/dashboard/account/new-api-key.tsx'),
      route('api-keys/:key/revoke', 'routes/dashboard/account/revoke-api-key.tsx'),
    ]),
    // Also what is not there is said inside the frame.
    route('*', 'routes/public/not-found.tsx', { id: 'routes/dashboard/not-found' }),
  ]),

  // What programs call, with a key of their own.
  route('api/v1/key', 'routes/api/v1/key.ts'),

  // Mails caught on this machine; not found wherever anybody else could read them.
  route('dev/mailbox', 'routes/dev/mailbox.tsx'),
  route('dev/mailbox.json', 'routes/dev/mailbox-json.ts'),

  // An address the router does not know would skip the root middleware and fail in entry.server.
  route('*', 'routes/public/not-found.tsx'),
] satisfies RouteConfig;
