import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { CopiedValue } from '#app/components/form/copied-value.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CodeBlock } from '#app/components/value/copy/copied.tsx';
import { GatewayFields, useGatewayLabels } from '#app/features/connections/gateways/gateway-fields.tsx';
import { gatewaySchema } from '#app/features/connections/gateways/gateway-schema.ts';
import { GatewayToolsTable } from '#app/features/connections/gateways/gateway-tools-table.tsx';
import { useAudience, useGatewayCrumbs } from '#app/features/connections/gateways/gateway-words.ts';
import type { LoadedGateway } from '#app/features/connections/gateways/load-gateway.server.ts';

type Props = { loaded: LoadedGateway; lastResult: FormResult | undefined };

/** A gateway: how a client is connected to it, its tools, its latest calls and its settings. */
export function GatewayPage({ loaded, lastResult }: Props) {
  const { t } = useTranslation('gateways');
  const { gateway, tools, unserved, mayKeep } = loaded;
  return (
    <PageFrame
      title={gateway.name}
      wide
      description={gateway.description}
      breadcrumbs={useGatewayCrumbs()}
      actions={mayKeep ? <Actions gateway={gateway} /> : null}
    >
      <div className="mb-6 grid gap-3 empty:hidden">
        {gateway.status === 'active' ? null : (
          <Notice kind="attention" title={t('pausedTitle')}>
            <p>{t('pausedText')}</p>
          </Notice>
        )}
        {unserved === 0 ? null : (
          <Notice kind="attention" title={t('unserved', { count: unserved })}>
            <p>{t('unservedText')}</p>
          </Notice>
        )}
      </div>
      <Section
        title={t('tools')}
        description={t('toolsText')}
        actions={
          mayKeep && tools.length > 0 ? (
            <ButtonLink size="small" to={href('/dashboard/plugins/gateways/:gateway/add', { gateway: gateway.id })}>
              {t('addTools')}
            </ButtonLink>
          ) : null
        }
      >
        <GatewayToolsTable loaded={loaded} />
      </Section>
      <Connecting loaded={loaded} />
      <Calls loaded={loaded} />
      <Section title={t('settings')}>
        {mayKeep ? <SettingsForm loaded={loaded} lastResult={lastResult} /> : <SettingsFacts gateway={gateway} />}
      </Section>
    </PageFrame>
  );
}

function Actions({ gateway }: Pick<LoadedGateway, 'gateway'>) {
  const { t } = useTranslation('gateways');
  const active = gateway.status === 'active';
  return (
    <>
      <StatusWord status={gateway.status} />
      <CommandForm hidden={{ intent: active ? 'pause' : 'resume' }}>
        <SubmitButton variant="secondary">{active ? t('pause') : t('resume')}</SubmitButton>
      </CommandForm>
      <ButtonLink variant="quiet" to={href('/dashboard/plugins/gateways/:gateway/delete', { gateway: gateway.id })}>
        {t('delete.link')}
      </ButtonLink>
    </>
  );
}

/** The address, and the settings of an MCP client as they are pasted. */
function Connecting({ loaded: { gateway, url } }: Pick<Props, 'loaded'>) {
  const { t } = useTranslation('gateways');
  const server = { type: 'http', url, headers: { Authorization: 'Bearer API-KEY' } };
  const config = JSON.stringify({ mcpServers: { [gateway.address]: server } }, null, 2);
  return (
    <Section title={t('connect')} description={t('connectText')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <CopiedValue label={t('field.address')} value={url} />
        <div className="max-w-measure">
          <p className="mb-1.5 font-semibold">{t('config')}</p>
          <CodeBlock code={config} name={t('config')} />
          <p className="mt-2 text-sm text-muted">
            {t('keyHint')}{' '}
            <Link to={href('/dashboard/account/api-keys/new')} className="text-link">
              {t('toKey')}
            </Link>
          </p>
        </div>
      </div>
    </Section>
  );
}

function Calls({ loaded: { gateway, runs } }: Pick<Props, 'loaded'>) {
  const { t } = useTranslation('gateways');
  const format = useFormats();
  return (
    <Section
      title={t('calls')}
      actions={
        runs.length === 0 ? null : (
          <ButtonLink to={`${href('/dashboard/runs')}?workflow=${gateway.id}`} variant="quiet" size="small">
            {t('allCalls')}
          </ButtonLink>
        )
      }
    >
      <DataTable
        caption={t('calls')}
        rows={runs}
        rowKey={(run) => run.id}
        columns={[
          {
            key: 'run',
            header: t('column.call'),
            cell: (run) => (
              <Link to={href('/dashboard/runs/:run', { run: run.id })} className="text-link">
                <bdi>{format.runName({ ...run, workflow: gateway.name })}</bdi>
              </Link>
            ),
          },
          { key: 'at', header: t('column.at'), cell: (run) => <RelativeTime at={run.at} /> },
          { key: 'status', header: t('state'), cell: (run) => <StatusWord status={run.status} /> },
          { key: 'initiator', header: t('column.by'), cell: (run) => <bdi>{run.initiator ?? t('formerMember')}</bdi> },
        ]}
        empty={<EmptyPart title={t('noCalls')} />}
      />
    </Section>
  );
}

function SettingsForm({ loaded: { gateway, before, callers }, lastResult }: Props) {
  const { t } = useTranslation('gateways');
  const { name, description, address, roles, groups, programs, callsAtOnce, callsAMinute, callerCallsAMinute } = gateway;
  const limits = { callsAtOnce: callsAtOnce ?? '', callsAMinute: callsAMinute ?? '', callerCallsAMinute: callerCallsAMinute ?? '' };
  const { form, fields } = useAppForm(gatewaySchema, {
    lastResult,
    defaultValue: { name, description, address, roles, groups, programs, ...limits },
  });
  return (
    <AppForm form={form} labels={useGatewayLabels()}>
      <GatewayFields fields={fields} before={before} callers={callers} />
      <div>
        <SubmitButton busyLabel={t('saving')}>{t('save')}</SubmitButton>
      </div>
    </AppForm>
  );
}

function SettingsFacts({ gateway }: Pick<LoadedGateway, 'gateway'>) {
  const { t } = useTranslation('gateways');
  const format = useFormats();
  const audience = useAudience();
  const limit = (of: number | null) => (of === null ? t('anyNumber') : format.number(of));
  return (
    <DescriptionList
      items={[
        { term: t('state'), description: <StatusWord status={gateway.status} /> },
        { term: t('field.roles'), description: audience(gateway) },
        { term: t('field.callsAtOnce'), description: limit(gateway.callsAtOnce) },
        { term: t('field.callsAMinute'), description: limit(gateway.callsAMinute) },
        { term: t('field.callerCallsAMinute'), description: limit(gateway.callerCallsAMinute) },
      ]}
    />
  );
}
