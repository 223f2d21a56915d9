import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { API_KEY_SCOPES, type ApiKeyScope } from '#app/contracts/people.ts';
import { DocsFrame, DocsPart } from '#app/features/public/docs-frame.tsx';
import { CodeSample } from '#app/features/public/frame/code-sample.tsx';
import { PlainTable } from '#app/features/public/frame/plain-table.tsx';

const CALL = `curl -H 'Authorization: Bearer qk_…' https://quorate.example/api/v1/key`;
const START = `curl -H 'Authorization: Bearer qk_…' https://quorate.example/api/v1/workflows

curl -X POST https://quorate.example/api/v1/runs \\
  -H 'Authorization: Bearer qk_…' -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: order-4711' \\
  -d '{"workflowId": "WORKFLOW-ID", "input": {
        "request": "Minutes of the meeting on the new bridge",
        "record": "Present: Maria Keller, maria.keller@example.org",
        "received": "2026-10-01", "today": "2026-10-12"}}'`;
const FILE = `curl -H 'Authorization: Bearer qk_…' -F 'file=@minutes.pdf' \\
  https://quorate.example/api/v1/files

curl -X POST https://quorate.example/api/v1/runs \\
  -H 'Authorization: Bearer qk_…' -H 'Content-Type: application/json' \\
  -d '{"workflowId": "WORKFLOW-ID", "input": {"minutes": {"file": "FILE-ID"}}}'`;
const DRAFT = `curl -H 'Authorization: Bearer qk_…' \\
  https://quorate.example/api/v1/workflows/WORKFLOW-ID/draft > draft.json

jq '{revision, document}' draft.json | curl -X PUT --data @- \\
  -H 'Authorization: Bearer qk_…' -H 'Content-Type: application/json' \\
  https://quorate.example/api/v1/workflows/WORKFLOW-ID/draft`;
const MCP = 'https://quorate.example/mcp/your-workspace';
const RESOURCE = 'https://quorate.example/.well-known/oauth-protected-resource/mcp/your-workspace';
const CARD = `curl -H 'Authorization: Bearer qk_…' \\
  https://quorate.example/a2a/your-workspace/WORKFLOW-ID/.well-known/agent-card.json`;
const SCOPE_TEXTS = {
  'runs:read': 'runsRead',
  'runs:start': 'runsStart',
  'workflows:read': 'workflowsRead',
  'workflows:write': 'workflowsWrite',
  'approvals:read': 'approvalsRead',
  'audit:read': 'auditRead',
} as const satisfies Record<ApiKeyScope, string>;
const ANSWERS = [
  { status: '400', text: 'api.answers.s400' },
  { status: '401', text: 'api.answers.s401' },
  { status: '402', text: 'api.answers.s402' },
  { status: '403', text: 'api.answers.s403' },
  { status: '404', text: 'api.answers.s404' },
  { status: '409', text: 'api.answers.s409' },
  { status: '423', text: 'api.answers.s423' },
  { status: '429', text: 'api.answers.s429' },
] as const;

/** Keys, what they may do, and how a call is answered. */
export function DocsApiPage() {
  const { t } = useTranslation('docs');
  return (
    <DocsFrame title={t('api.title')} lead={t('api.lead')}>
      <DocsPart title={t('api.make.title')}>
        <p>{t('api.make.text')}</p>
      </DocsPart>
      <DocsPart title={t('api.call.title')}>
        <p>{t('api.call.text')}</p>
        <CodeSample label={t('api.call.title')} code={CALL} />
        <p>
          <a className="text-link" href={href('/api/v1/openapi.json')}>
            {t('api.call.openapi')}
          </a>
        </p>
      </DocsPart>
      <DocsPart id="http" title={t('api.http.title')}>
        <p>{t('api.http.text')}</p>
        <CodeSample label={t('api.http.title')} code={START} />
      </DocsPart>
      <DocsPart id="files" title={t('api.files.title')}>
        <p>{t('api.files.text')}</p>
        <CodeSample label={t('api.files.title')} code={FILE} />
      </DocsPart>
      <DocsPart id="drafts" title={t('api.drafts.title')}>
        <p>{t('api.drafts.text')}</p>
        <CodeSample label={t('api.drafts.title')} code={DRAFT} />
      </DocsPart>
      <DocsPart id="mcp" title={t('api.mcp.title')}>
        <p>{t('api.mcp.text')}</p>
        <CodeSample label={t('api.mcp.title')} code={MCP} />
        <p>{t('api.mcp.approval')}</p>
        <p>{t('api.mcp.texts')}</p>
      </DocsPart>
      <DocsPart id="oauth" title={t('api.oauth.title')}>
        <p>{t('api.oauth.text')}</p>
        <p>{t('api.oauth.way')}</p>
        <CodeSample label={t('api.oauth.title')} code={RESOURCE} />
      </DocsPart>
      <DocsPart id="a2a" title={t('api.a2a.title')}>
        <p>{t('api.a2a.text')}</p>
        <CodeSample label={t('api.a2a.title')} code={CARD} />
        <p>{t('api.a2a.bindings')}</p>
        <p>{t('api.a2a.approval')}</p>
        <p>{t('api.a2a.texts')}</p>
        <p>{t('api.a2a.instance')}</p>
        <p>{t('api.where')}</p>
      </DocsPart>
      <DocsPart title={t('api.scopes.title')}>
        <p>{t('api.scopes.text')}</p>
        <PlainTable
          label={t('api.scopes.title')}
          columns={[t('api.scopes.scope'), t('api.scopes.allows')]}
          rows={API_KEY_SCOPES.map((scope) => ({
            key: scope,
            cells: [<code key={scope}>{scope}</code>, t(`api.scopes.${SCOPE_TEXTS[scope]}`)],
          }))}
        />
      </DocsPart>
      <DocsPart title={t('api.answers.title')}>
        <PlainTable
          label={t('api.answers.title')}
          columns={[t('api.answers.status'), t('api.answers.meaning')]}
          rows={ANSWERS.map(({ status, text }) => ({ key: status, cells: [<code key={status}>{status}</code>, t(text)] }))}
        />
      </DocsPart>
    </DocsFrame>
  );
}
