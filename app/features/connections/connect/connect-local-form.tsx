import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { connectLocalSchema } from '#app/features/connections/connect/connect-local-schema.ts';

type Props = { servers: readonly { name: string; command: string }[]; lastResult: FormResult | undefined };

/** Connects an MCP server that runs as a process of this machine. The exact command is shown first. */
export function ConnectLocalForm({ servers, lastResult }: Props) {
  const { t } = useTranslation('connections');
  const { form, fields } = useAppForm(connectLocalSchema, { lastResult });
  return (
    <PageFrame
      title={t('local.title')}
      description={t('local.description')}
      breadcrumbs={[{ label: t('mcp.title'), to: href('/dashboard/plugins') }]}
    >
      {servers.length === 0 ? (
        <EmptyState
          title={t('local.none')}
          description={t('local.noneHint')}
          action={<ButtonLink to={href('/dashboard/plugins/new')}>{t('local.byAddress')}</ButtonLink>}
        />
      ) : (
        <AppForm form={form}>
          <TextField field={fields.name} label={t('connect.name')} hint={t('connect.nameHint')} />
          <RadioGroupField
            field={fields.server}
            label={t('local.server')}
            options={servers.map(({ name, command }) => ({
              value: name,
              label: name,
              hint: (
                <code dir="ltr" className="wrap-anywhere">
                  {command}
                </code>
              ),
            }))}
          />
          <TextAreaField field={fields.description} label={t('connect.description')} rows={2} optional />
          <div>
            <SubmitButton busyLabel={t('connect.busy')}>{t('local.submit')}</SubmitButton>
          </div>
        </AppForm>
      )}
    </PageFrame>
  );
}
