import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxField, CheckboxGroupField, SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ROLES } from '#app/contracts/people.ts';
import { RISKS, VERDICTS } from '#app/contracts/statuses.ts';
import { RULE_ACTIONS, WEEKDAYS } from '#app/domain/audit/policy-rule.ts';
import { EXAMPLE_KINDS, exampleFields, exampleFormSchema } from '#app/features/policies/examples/example-form-schema.ts';
import type { LoadedExample } from '#app/features/policies/examples/load-example.server.ts';
import { ROLE_WORDS } from '#app/features/policies/rules/rule-card.tsx';
import { ACTION_WORDS, DAY_WORDS, KIND_WORDS } from '#app/features/policies/rules/rule-words.ts';

const VERDICT_WORDS = {
  allow: 'status.allow',
  warn: 'status.warn',
  transform: 'status.transform',
  require_approval: 'status.requireApproval',
  deny: 'status.deny',
} as const;

const useExampleForm = (example: LoadedExample['example'], lastResult: FormResult | undefined) =>
  useAppForm(exampleFormSchema, { lastResult, defaultValue: exampleFields(example) });
type Fields = ReturnType<typeof useExampleForm>['fields'];

/** One example of a policy: a call, and the verdict that the policy has to give. */
export function ExampleForm({ loaded, lastResult }: { loaded: LoadedExample; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('policies');
  const { t: common } = useTranslation('common');
  const { policy, revision, place, example, tools, workflows } = loaded;
  const { form, fields } = useExampleForm(example, lastResult);
  const calls = [...new Set([...tools, ...(example.call.includes('/') ? [example.call] : [])])];
  return (
    <PageFrame
      title={place === null ? t('examples.newTitle') : t('examples.editTitle', { name: example.name })}
      description={t('examples.description')}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/policies') },
        { label: policy.name, to: href('/dashboard/policies/:policy', { policy: policy.id }) },
        { label: t('detail.edit'), to: href('/dashboard/policies/:policy/edit', { policy: policy.id }) },
      ]}
    >
      <AppForm form={form}>
        <RevisionInput revision={revision} of={example} />
        <TextField field={fields.name} label={t('examples.name')} hint={t('examples.nameHint')} />
        <SelectField
          field={fields.expected}
          label={t('examples.expectedField')}
          options={VERDICTS.map((verdict) => ({ value: verdict, label: common(VERDICT_WORDS[verdict]) }))}
        />
        <SelectField
          field={fields.call}
          label={t('examples.call')}
          options={[
            ...RULE_ACTIONS.map((action) => ({ value: action, label: t(ACTION_WORDS[action]) })),
            ...calls.map((tool) => ({ value: tool, label: tool })),
          ]}
        />
        <TextAreaField field={fields.input} label={t('examples.input')} hint={t('examples.inputHint')} rows={5} code optional />
        <Called fields={fields} />
        <Circumstances fields={fields} workflows={workflows} />
        <div className="flex flex-wrap gap-3">
          <SubmitButton name="intent" value="save" busyLabel={t('edit.saving')}>
            {t('examples.save')}
          </SubmitButton>
          {place === null ? null : (
            <SubmitButton variant="danger" name="intent" value="remove">
              {t('examples.remove')}
            </SubmitButton>
          )}
        </div>
      </AppForm>
    </PageFrame>
  );
}

function Called({ fields }: { fields: Fields }) {
  const { t } = useTranslation('policies');
  return (
    <Section title={t('examples.called')} description={t('examples.calledText')}>
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField field={fields.connection} label={t('examples.connection')} code optional />
        <TextField field={fields.capability} label={t('examples.capability')} code optional />
        <TextField field={fields.host} label={t('examples.host')} code optional />
        <div className="grid gap-2">
          <CheckboxField field={fields.personalDataAllowed} label={t('examples.personalDataAllowed')} />
          <CheckboxField field={fields.builtin} label={t('examples.builtin')} />
        </div>
        <CheckboxGroupField
          field={fields.personalData}
          label={t('examples.personalData')}
          options={EXAMPLE_KINDS.map((kind) => ({ value: kind, label: t(KIND_WORDS[kind]) }))}
        />
      </div>
    </Section>
  );
}

function Circumstances({ fields, workflows }: { fields: Fields; workflows: LoadedExample['workflows'] }) {
  const { t } = useTranslation('policies');
  return (
    <Section title={t('examples.circumstances')}>
      <div className="grid gap-6 sm:grid-cols-2">
        <SelectField
          field={fields.mode}
          label={t('examples.mode')}
          options={[
            { value: 'live', label: t('examples.live') },
            { value: 'test', label: t('examples.test') },
          ]}
        />
        <SelectField
          field={fields.role}
          label={t('rule.who')}
          options={ROLES.map((role) => ({ value: role, label: t(ROLE_WORDS[role]) }))}
        />
        <SelectField
          field={fields.workflow}
          label={t('examples.workflow')}
          placeholder={t('examples.anyWorkflow')}
          options={Object.entries(workflows).map(([value, label]) => ({ value, label }))}
        />
        <TextField field={fields.agent} label={t('examples.agent')} optional />
        <SelectField
          field={fields.risk}
          label={t('examples.risk')}
          options={RISKS.map((risk) => ({ value: risk, label: t(`examples.risks.${risk}`) }))}
        />
        <NumberField field={fields.findings} label={t('examples.findings')} optional />
        <SelectField
          field={fields.weekday}
          label={t('examples.weekday')}
          options={WEEKDAYS.map((day) => ({ value: day, label: t(DAY_WORDS[day]) }))}
        />
        <NumberField field={fields.hour} label={t('examples.hour')} optional />
        <NumberField field={fields.callsInRun} label={t('examples.calls')} optional />
        <NumberField field={fields.costInRun} label={t('examples.cost')} unit="USD" optional />
        <NumberField field={fields.approvalsInRun} label={t('examples.approvalsInRun')} optional />
        <NumberField field={fields.callsToPayee} label={t('examples.callsToPayee')} hint={t('examples.callsToPayeeHint')} optional />
        <NumberField field={fields.callsToday} label={t('examples.callsToday')} optional />
        <NumberField field={fields.costToday} label={t('examples.costToday')} unit="USD" optional />
        <TextAreaField field={fields.groups} label={t('examples.groups')} hint={t('examples.groupsHint')} rows={2} optional />
        <NumberField field={fields.approvals} label={t('examples.approvals')} hint={t('examples.approvalsHint')} optional />
        <CheckboxField field={fields.requesterIsAuthor} label={t('examples.author')} />
      </div>
    </Section>
  );
}
