import 'i18next';
import type accountTexts from '#locales/en/account.json';
import type analyticsTexts from '#locales/en/analytics.json';
import type appearanceTexts from '#locales/en/appearance.json';
import type approvalsTexts from '#locales/en/approvals.json';
import type auditTexts from '#locales/en/audit.json';
import type authTexts from '#locales/en/auth.json';
import type commonTexts from '#locales/en/common.json';
import type connectionsTexts from '#locales/en/connections.json';
import type dashboardTexts from '#locales/en/dashboard.json';
import type designTexts from '#locales/en/design.json';
import type devConsoleTexts from '#locales/en/devConsole.json';
import type errorsTexts from '#locales/en/errors.json';
import type explanationsTexts from '#locales/en/explanations.json';
import type figuresTexts from '#locales/en/figures.json';
import type haltTexts from '#locales/en/halt.json';
import type healthTexts from '#locales/en/health.json';
import type helpTexts from '#locales/en/help.json';
import type landingTexts from '#locales/en/landing.json';
import type mailTexts from '#locales/en/mail.json';
import type marketplaceTexts from '#locales/en/marketplace.json';
import type membersTexts from '#locales/en/members.json';
import type mockingTexts from '#locales/en/mocking.json';
import type monitoringTexts from '#locales/en/monitoring.json';
import type noticesTexts from '#locales/en/notices.json';
import type notificationsTexts from '#locales/en/notifications.json';
import type policiesTexts from '#locales/en/policies.json';
import type publicTexts from '#locales/en/public.json';
import type reasoningTexts from '#locales/en/reasoning.json';
import type runsTexts from '#locales/en/runs.json';
import type searchTexts from '#locales/en/search.json';
import type shellTexts from '#locales/en/shell.json';
import type validationTexts from '#locales/en/validation.json';
import type workflowsTexts from '#locales/en/workflows.json';

declare module 'i18next' {
  // It must be an interface in this module, or keys go unchecked.
  interface CustomTypeOptions {
    defaultNS: 'common';
    returnNull: false;
    resources: {
      account: typeof accountTexts;
      appearance: typeof appearanceTexts;
      analytics: typeof analyticsTexts;
      approvals: typeof approvalsTexts;
      audit: typeof auditTexts;
      auth: typeof authTexts;
      common: typeof commonTexts;
      connections: typeof connectionsTexts;
      marketplace: typeof marketplaceTexts;
      dashboard: typeof dashboardTexts;
      help: typeof helpTexts;
      design: typeof designTexts;
      devConsole: typeof devConsoleTexts;
      errors: typeof errorsTexts;
      explanations: typeof explanationsTexts;
      halt: typeof haltTexts;
      health: typeof healthTexts;
      figures: typeof figuresTexts;
      landing: typeof landingTexts;
      mail: typeof mailTexts;
      members: typeof membersTexts;
      mocking: typeof mockingTexts;
      monitoring: typeof monitoringTexts;
      notices: typeof noticesTexts;
      notifications: typeof notificationsTexts;
      policies: typeof policiesTexts;
      public: typeof publicTexts;
      reasoning: typeof reasoningTexts;
      runs: typeof runsTexts;
      search: typeof searchTexts;
      shell: typeof shellTexts;
      validation: typeof validationTexts;
      workflows: typeof workflowsTexts;
    };
  }
}
