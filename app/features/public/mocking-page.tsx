import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DocsFrame, DocsPart } from '#app/features/public/docs-frame.tsx';
import { CodeSample } from '#app/features/public/frame/code-sample.tsx';

const START = 'npm run dev:mocked';

const CHOOSE = `curl -i -H 'X-Quorate-Scenario: rate-limited' \\
  -d 'form=sign-in&email=ada@example.com&password=anything' http://localhost:3000/auth
QUORATE_SCENARIO=slow npm run dev:mocked`;

const HANDLER = `// tests/mocks/handlers/user.ts
endpoint(mock, 'get', '/auth/v1/user', ({ request, scenario }) => {
  if (scenario === 'session-not-found') throw refusals.sessionMissing();
  return userBody(mock.caller(request).user);
})`;

const SCENARIO = `// tests/mocks/scenarios.ts, a line more in each
export const SCENARIOS = [
  …
  'mailbox-full',
] as const;
export const SCENARIO_EFFECTS: Record<Scenario, string> = {
  …
  'mailbox-full': 'Every mail answers 500 unexpected_failure.',
};

// tests/mocks/handlers/mail-links.ts, first in the handler
if (asked.scenario === 'mailbox-full')
  throw new MockRefusal(500, 'unexpected_failure', 'The mailbox is full');`;

const TEST = `const { backend, mock } = mockedBackend();
const { error } = await inScenario('wrong-password', () =>
  backend.client().auth.signInWithPassword({ email, password }),
);`;

/** For who works on the front end: the product without a backend, and how to add what the mock cannot do yet. */
export function MockingPage() {
  const { t } = useTranslation('mocking');
  return (
    <DocsFrame title={t('title')} lead={t('lead')}>
      <Part title={t('start.title')} sample={START} label={t('sampleOf', { title: t('start.title') })}>
        <p>{t('start.body')}</p>
        <p>{t('start.people')}</p>
      </Part>
      <Part title={t('choose.title')} sample={CHOOSE} label={t('sampleOf', { title: t('choose.title') })}>
        <p>{t('choose.body')}</p>
      </Part>
      <Part title={t('handler.title')} sample={HANDLER} label={t('sampleOf', { title: t('handler.title') })}>
        <ol className="grid list-decimal gap-2 ps-6">
          <li>{t('handler.write')}</li>
          <li>{t('handler.register')}</li>
          <li>{t('handler.data')}</li>
          <li>{t('handler.refuse')}</li>
        </ol>
      </Part>
      <Part title={t('scenario.title')} sample={SCENARIO} label={t('sampleOf', { title: t('scenario.title') })}>
        <p>{t('scenario.body')}</p>
      </Part>
      <Part title={t('contract.title')} sample={TEST} label={t('sampleOf', { title: t('contract.title') })}>
        <p>{t('contract.body')}</p>
        <p>{t('contract.differences')}</p>
      </Part>
    </DocsFrame>
  );
}

function Part({ title, sample, label, children }: { title: string; sample: string; label: string; children: ReactNode }) {
  return (
    <DocsPart title={title}>
      {children}
      <CodeSample label={label} code={sample} />
    </DocsPart>
  );
}
