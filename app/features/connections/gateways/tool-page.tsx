import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { partOf } from '#app/components/form/field-parts.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { DifferenceLines } from '#app/features/connections/difference-lines.tsx';
import { gatewayToolSchema } from '#app/features/connections/gateways/gateway-schema.ts';
import type { LoadedGatewayTool } from '#app/features/connections/gateways/gateway-tools.server.ts';
import { useGatewayCrumbs } from '#app/features/connections/gateways/gateway-words.ts';

type Props = { loaded: LoadedGatewayTool; lastResult: FormResult | undefined };

/** A tool of a gateway: how callers see it, and which of its arguments are fixed. */
export function GatewayToolPage({ loaded, lastResult }: Props) {
  const { t } = useTranslation('gateways');
  const { gateway, tool } = loaded;
  const remove = href('/dashboard/plugins/gateways/:gateway/tools/:tool/remove', { gateway: gateway.id, tool: tool.id });
  return (
    <PageFrame
      title={tool.name}
      description={t('tool.calls', { title: tool.title, connection: tool.connectionName })}
      breadcrumbs={useGatewayCrumbs(gateway)}
      actions={
        <ButtonLink variant="quiet" to={remove}>
          {t('remove.link')}
        </ButtonLink>
      }
    >
      <div className="mb-6 grid gap-3 empty:hidden">
        <State loaded={loaded} />
      </div>
      {tool.state === 'gone' ? (
        <ButtonLink variant="danger" to={remove}>
          {t('remove.link')}
        </ButtonLink>
      ) : (
        <ToolForm loaded={loaded} lastResult={lastResult} />
      )}
    </PageFrame>
  );
}

/** Why it is not served, and what would serve it again. */
function State({ loaded: { tool, approved, difference } }: Pick<Props, 'loaded'>) {
  const { t } = useTranslation('gateways');
  if (tool.state === 'served') return null;
  if (tool.state === 'gone')
    return (
      <Notice kind="attention" title={t('tool.goneTitle')}>
        <p>{t('tool.goneText')}</p>
      </Notice>
    );
  const connection = href('/dashboard/plugins/:connection', { connection: tool.connectionId });
  return (
    <>
      <Notice kind="attention" title={t('tool.changedTitle')}>
        <p>{approved ? t('tool.changedText') : t('tool.unapprovedText')}</p>
        <Link to={`${connection}?q=${encodeURIComponent(tool.capability)}`}>{t('toConnection')}</Link>
      </Notice>
      {difference.length === 0 ? (
        <p className="text-muted">{t('tool.sameInput')}</p>
      ) : (
        <DifferenceLines label={t('tool.difference')} lines={difference} />
      )}
    </>
  );
}

function ToolForm({ loaded, lastResult }: Props) {
  const { t } = useTranslation('gateways');
  const { gateway, tool, described } = loaded;
  const { form, fields } = useAppForm(gatewayToolSchema, {
    lastResult,
    defaultValue: {
      name: tool.name,
      description: tool.description,
      arguments: loaded.arguments.map(({ name, value }) => ({ name, value })),
    },
  });
  const rows = fields.arguments.getFieldList();
  const labels = {
    name: t('tool.name'),
    description: t('tool.description'),
    ...Object.fromEntries(rows.map((row, index) => [`${row.name}.value`, loaded.arguments[index]?.name ?? ''])),
  };
  return (
    <AppForm form={form} labels={labels}>
      <TextField field={fields.name} label={t('tool.name')} hint={t('tool.nameHint')} code />
      <TextAreaField
        field={fields.description}
        label={t('tool.description')}
        hint={
          <>
            <p>{t('tool.descriptionHint')}</p>
            {described === '' ? null : (
              <p className="mt-1 whitespace-pre-line">
                <bdi>{described}</bdi>
              </p>
            )}
          </>
        }
        rows={3}
        optional
      />
      <fieldset className="grid max-w-measure gap-5">
        <legend className="mb-1.5 font-semibold">{t('tool.arguments')}</legend>
        <p className="text-sm text-muted">{loaded.arguments.length === 0 ? t('tool.noArguments') : t('tool.argumentsHint')}</p>
        {rows.map((row, index) => {
          const argument = loaded.arguments[index];
          if (argument === undefined) return null;
          const { name } = partOf(row, 'name');
          return (
            <div key={argument.name}>
              <input type="hidden" name={name} value={argument.name} />
              <TextField field={partOf(row, 'value')} label={argument.name} hint={<ArgumentHint argument={argument} />} code />
            </div>
          );
        })}
      </fieldset>
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel={t('saving')}>{tool.state === 'changed' ? t('tool.take') : t('save')}</SubmitButton>
        <ButtonLink variant="secondary" to={href('/dashboard/plugins/gateways/:gateway', { gateway: gateway.id })}>
          {t('cancel')}
        </ButtonLink>
      </div>
    </AppForm>
  );
}

function ArgumentHint({ argument }: { argument: LoadedGatewayTool['arguments'][number] }) {
  const { t } = useTranslation('gateways');
  return (
    <>
      <code dir="ltr">{argument.type}</code>
      {argument.required ? <span> {t('tool.required')}</span> : null}
      {argument.description === '' ? null : <bdi className="block">{argument.description}</bdi>}
    </>
  );
}
