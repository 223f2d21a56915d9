import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxGroupField, SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { EMPTY_AGENT } from '#app/domain/workflows/agent.ts';
import type { AgentDraft } from '#app/features/agents/agent-draft.server.ts';
import { agentFormSchema } from '#app/features/agents/agent-schema.ts';
import type { OfferedCapability } from '#app/features/agents/load-agent-catalogue.server.ts';

type Props = { draft: AgentDraft | null; offered: readonly OfferedCapability[]; lastResult: FormResult | undefined };

/** A new agent, or the draft of one. */
export function AgentFormPage({ draft, offered, lastResult }: Props) {
  const { t } = useTranslation('agents');
  const back = draft === null ? href('/dashboard/agents') : href('/dashboard/agents/authored/:agent', { agent: draft.id });
  return (
    <PageFrame
      title={draft === null ? t('form.newTitle') : t('form.editTitle', { name: draft.name })}
      description={t('form.description')}
      breadcrumbs={[
        { label: t('list.mineTitle'), to: href('/dashboard/agents') },
        ...(draft === null ? [] : [{ label: draft.name, to: back }]),
      ]}
    >
      <AgentForm draft={draft} offered={offered} lastResult={lastResult} back={back} />
    </PageFrame>
  );
}

function AgentForm({ draft, offered, lastResult, back }: Props & { back: string }) {
  const { t } = useTranslation('agents');
  const document = draft?.document ?? EMPTY_AGENT;
  const { budget } = document;
  const chosen = document.model === null ? '' : `${document.connection}/${document.model}`;
  const tools = document.tools.map(({ kind, connection, capability }) => `${kind}:${connection}/${capability}`);
  const { form, fields } = useAppForm(agentFormSchema, {
    lastResult,
    defaultValue: {
      revision: draft?.revision ?? 0,
      name: draft?.name ?? '',
      description: draft?.description ?? '',
      tags: draft?.tags.join(', ') ?? '',
      instructions: document.instructions,
      model: chosen,
      maxTokens: document.maxTokens ?? '',
      tools,
      steps: budget.steps,
      tokens: budget.tokens,
      cost: budget.costMicros === null ? '' : budget.costMicros / 1_000_000,
      seconds: budget.seconds,
    },
  });
  const label = (item: OfferedCapability) =>
    revealedText(`${item.title} · ${item.connectionName}${item.approved ? '' : ` (${t('form.notApproved')})`}`);
  const models = offered
    .filter((item) => item.kind === 'model')
    .map((item) => ({ value: `${item.connection}/${item.capability}`, label: label(item) }));
  const options = offered
    .filter((item) => item.kind !== 'model')
    .map((item) => ({
      value: `${item.kind}:${item.connection}/${item.capability}`,
      label: label(item),
      hint: beginningOf(revealedText(item.description)),
    }));
  // A capability that is no longer offered stays in the form, so that saving does not remove it unseen.
  const gone = (value: string, known: readonly { value: string }[]) => value !== '' && !known.some((option) => option.value === value);
  return (
    <AppForm form={form}>
      <RevisionInput revision={draft?.revision ?? 0} of={[draft?.name, draft?.description, draft?.tags, document]} />
      <TextField field={fields.name} label={t('form.name')} autoComplete="off" />
      <TextAreaField field={fields.description} label={t('form.about')} hint={t('form.aboutHint')} rows={2} optional />
      <TextField field={fields.tags} label={t('form.tags')} hint={t('form.tagsHint')} autoComplete="off" optional />
      <TextAreaField field={fields.instructions} label={t('form.instructions')} hint={t('form.instructionsHint')} rows={8} />
      {models.length === 0 ? (
        <Notice kind="info" title={t('form.noModels')}>
          <p>{t('form.noModelsHint')}</p>
          <ButtonLink to={href('/dashboard/llm-hub')}>{t('form.toModels')}</ButtonLink>
        </Notice>
      ) : null}
      <SelectField
        field={fields.model}
        leftToRight
        label={t('form.model')}
        hint={t('form.modelHint')}
        placeholder={t('form.modelNone')}
        options={[...models, ...(gone(chosen, models) ? [{ value: chosen, label: `${chosen} (${t('form.missing')})` }] : [])]}
      />
      <NumberField field={fields.maxTokens} label={t('form.maxTokens')} hint={t('form.maxTokensHint')} optional />
      <CheckboxGroupField
        field={fields.tools}
        label={t('form.tools')}
        hint={options.length === 0 ? t('form.noTools') : t('form.toolsHint')}
        options={[
          ...options,
          ...tools.filter((value) => gone(value, options)).map((value) => ({ value, label: `${value} (${t('form.missing')})` })),
        ]}
      />
      <Section title={t('form.budget')} description={t('form.budgetHint')}>
        <div className="grid gap-6">
          <NumberField field={fields.steps} label={t('form.steps')} hint={t('form.stepsHint')} />
          <NumberField field={fields.tokens} label={t('form.tokens')} hint={t('form.tokensHint')} />
          <NumberField field={fields.cost} label={t('form.cost')} hint={t('form.costHint')} unit={t('form.dollars')} optional />
          <NumberField field={fields.seconds} label={t('form.time')} hint={t('form.timeHint')} unit={t('form.seconds')} />
        </div>
      </Section>
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel={t('form.saving')}>{draft === null ? t('form.create') : t('form.save')}</SubmitButton>
        <ButtonLink to={back} variant="quiet">
          {t('form.cancel')}
        </ButtonLink>
      </div>
    </AppForm>
  );
}

const HINT_LENGTH = 160;

/** The part of a text that fits beside a choice, in whole words. */
function beginningOf(text: string): string {
  return text.length <= HINT_LENGTH ? text : `${text.slice(0, HINT_LENGTH).replace(/\s+\S*$/, '')} …`;
}
