import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField, SelectField } from '#app/components/form/choice-fields.tsx';
import type { FormField } from '#app/components/form/field-parts.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import { assertNever } from '#app/domain/assert-never.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { AgentStep, ApprovalStep, BranchStep, ModelStep, Step, ToolStep, TransformStep } from '#app/domain/workflows/workflow.ts';
import { STEP_PROTOCOLS } from '#app/domain/workflows/workflow-check.ts';
import type { StepTarget } from '#app/engine/workflows/load-catalogue.ts';
import { type MappingField, mappingFieldsOf } from '#app/features/workflows/editor/mapping-fields.ts';
import { stepFormSchemas } from '#app/features/workflows/editor/step-form-schema.ts';
import { APPROVAL_RISKS, SPARE_ROWS } from '#app/features/workflows/editor/step-options.ts';

type Props<Kind extends Step = Step> = {
  step: Kind;
  revision: number;
  catalogue: readonly StepTarget[];
  lastResult: FormResult | undefined;
};

/** One step, in full. Each kind has its own fields; what all share stands below. */
export function StepForm(props: Props) {
  const { step, ...rest } = props;
  switch (step.kind) {
    case 'tool':
    case 'agent':
      return <TargetStepForm step={step} {...rest} />;
    case 'model':
      return <ModelStepForm step={step} {...rest} />;
    case 'approval':
      return <ApprovalStepForm step={step} {...rest} />;
    case 'transform':
      return <TransformStepForm step={step} {...rest} />;
    case 'branch':
      return <BranchStepForm step={step} {...rest} />;
    default:
      return assertNever(step);
  }
}

const pairsOf = (mapping: Record<string, string>, spare: number) => [
  ...Object.entries(mapping).map(([name, value]) => ({ name, value })),
  ...Array.from({ length: spare }, () => ({ name: '', value: '' })),
];

function commonDefaults(step: Step, revision: number) {
  const { id, name, timeoutSeconds, retries, backoffSeconds, onError } = step;
  return { revision, id, name, timeoutSeconds, retries, backoffSeconds, onError };
}

/** Names in the error summary of what stands in parts of their own, where the form cannot see them. */
function useCommonLabels(): Record<string, string> {
  const { t } = useTranslation('workflows');
  return {
    id: t('step.id'),
    timeoutSeconds: t('step.timeout'),
    retries: t('step.retries'),
    backoffSeconds: t('step.backoff'),
    onError: t('step.onError'),
    unknownOutcome: t('step.unknownOutcome'),
  };
}

function TargetStepForm({ step, revision, catalogue, lastResult }: Props<ToolStep | AgentStep>) {
  const { t } = useTranslation('workflows');
  const flow = useTranslation('flow');
  const offered = catalogue.filter((item) => STEP_PROTOCOLS[step.kind].includes(item.protocol));
  const chosen = offered.find((item) => item.connection === step.connection && item.capability === step.capability);
  const mappings = mappingFieldsOf(chosen?.inputSchema ?? null, step.input);
  const { form, fields } = useAppForm(stepFormSchemas[step.kind], {
    lastResult,
    defaultValue: {
      ...commonDefaults(step, revision),
      target: step.capability === null ? '' : `${step.connection}/${step.capability}`,
      task: step.task,
      unknownOutcome: step.unknownOutcome ?? 'fail',
      input: mappings.map(({ name, value }) => ({ name, value })),
    },
  });
  const pairs = fields.input.getFieldList();
  const labels = {
    ...useCommonLabels(),
    ...Object.fromEntries(pairs.map((pair, index) => [`${pair.name}.value`, mappings[index]?.title ?? pair.name])),
  };
  return (
    <AppForm form={form} labels={labels}>
      <input type="hidden" name={fields.revision.name} value={revision} />
      <TextField field={fields.name} label={t('step.name')} />
      <SelectField
        field={fields.target}
        label={step.kind === 'tool' ? t('step.tool') : t('step.skill')}
        hint={t('step.targetHint')}
        placeholder={t('step.routed')}
        options={offered.map((item) => ({
          value: `${item.connection}/${item.capability}`,
          label: revealedText(
            `${item.title} · ${item.protocol === 'agent' ? flow.t('ownAgent') : item.connectionName}${item.approved ? '' : ` (${t('step.notApproved')})`}`,
          ),
        }))}
      />
      <TextField field={fields.task} label={t('step.task')} hint={t('step.taskHint')} optional />
      {mappings.length > 0 && (
        <Section title={t('step.inputTitle')} description={t('step.inputHint')}>
          <div className="grid gap-6">
            {pairs.map((pair, index) => {
              const mapping = mappings[index];
              const parts = pair.getFieldset();
              return <MappingRow key={pair.key} name={parts.name} value={parts.value} {...(mapping === undefined ? {} : { mapping })} />;
            })}
          </div>
        </Section>
      )}
      <CommonFields fields={fields}>
        <p className="max-w-measure">{chosen?.repeatable ? t('step.repeatSafe') : t('step.repeatRisk')}</p>
        <RadioGroupField
          field={fields.unknownOutcome}
          label={t('step.unknownOutcome')}
          hint={t('step.unknownOutcomeHint')}
          options={[
            { value: 'fail', label: t('step.unknownFail'), hint: t('step.unknownFailHint') },
            { value: 'repeat', label: t('step.unknownRepeat'), hint: t('step.unknownRepeatHint') },
            { value: 'ask', label: t('step.unknownAsk'), hint: t('step.unknownAskHint') },
          ]}
        />
      </CommonFields>
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

function MappingRow({ name, value, mapping }: { name: FormField; value: FormField; mapping?: MappingField }) {
  const { t } = useTranslation('workflows');
  if (mapping === undefined || mapping.free) {
    return (
      <div className="grid gap-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
        <TextField field={name} label={t('step.mappingName')} code />
        <TextField field={value} label={t('step.mappingValue')} code />
      </div>
    );
  }
  const hint = [mapping.description, t('step.mappingType', { type: mapping.type }), mapping.required ? t('step.mappingRequired') : '']
    .filter((part) => part !== '')
    .join(' · ');
  return (
    <>
      <input type="hidden" name={name.name} value={mapping.name} />
      <TextAreaField
        field={value}
        label={mapping.title}
        hint={hint}
        rows={mapping.type === 'string' ? 2 : 1}
        code
        optional={!mapping.required}
      />
    </>
  );
}

function ModelStepForm({ step, revision, catalogue, lastResult }: Props<ModelStep>) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(stepFormSchemas.model, {
    lastResult,
    defaultValue: {
      ...commonDefaults(step, revision),
      target: step.capability === null ? '' : `${step.connection}/${step.capability}`,
      prompt: step.input.prompt ?? '',
      system: step.input.system ?? '',
      maxTokens: step.maxTokens ?? '',
      temperature: step.temperature ?? '',
      schema: step.schema,
    },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <input type="hidden" name={fields.revision.name} value={revision} />
      <TextField field={fields.name} label={t('step.name')} />
      <SelectField
        field={fields.target}
        label={t('step.model')}
        hint={t('step.modelHint')}
        placeholder={t('step.modelNone')}
        options={catalogue
          .filter((item) => item.protocol === 'model')
          .map((item) => ({
            value: `${item.connection}/${item.capability}`,
            label: revealedText(`${item.title} · ${item.connectionName}${item.approved ? '' : ` (${t('step.notApproved')})`}`),
          }))}
      />
      <TextAreaField field={fields.prompt} label={t('step.prompt')} hint={t('step.promptHint')} rows={6} code />
      <TextAreaField field={fields.system} label={t('step.system')} hint={t('step.systemHint')} rows={3} code optional />
      <NumberField field={fields.maxTokens} label={t('step.maxTokens')} hint={t('step.maxTokensHint')} optional />
      <NumberField field={fields.temperature} label={t('step.temperature')} hint={t('step.temperatureHint')} optional />
      <TextAreaField field={fields.schema} label={t('step.schema')} hint={t('step.schemaHint')} rows={6} code optional />
      <CommonFields fields={fields} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

function ApprovalStepForm({ step, revision, lastResult }: Props<ApprovalStep>) {
  const { t } = useTranslation('workflows');
  const { t: common } = useTranslation('common');
  const { form, fields } = useAppForm(stepFormSchemas.approval, {
    lastResult,
    defaultValue: {
      ...commonDefaults(step, revision),
      question: step.question,
      show: pairsOf(step.show, SPARE_ROWS),
      risk: step.risk,
      quorum: step.quorum,
      dueHours: step.dueHours,
    },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <input type="hidden" name={fields.revision.name} value={revision} />
      <TextField field={fields.name} label={t('step.name')} />
      <TextAreaField field={fields.question} label={t('step.question')} hint={t('step.questionHint')} rows={2} />
      <Section title={t('step.showTitle')} description={t('step.showHint')}>
        <div className="grid gap-4">
          {fields.show.getFieldList().map((pair) => {
            const parts = pair.getFieldset();
            return <MappingRow key={pair.key} name={parts.name} value={parts.value} />;
          })}
        </div>
      </Section>
      <RadioGroupField
        field={fields.risk}
        label={t('step.risk')}
        hint={t('step.riskHint')}
        options={APPROVAL_RISKS.map((risk) => ({ value: risk, label: common(`status.${risk}`) }))}
      />
      <NumberField field={fields.quorum} label={t('step.quorum')} hint={t('step.quorumHint')} />
      <NumberField field={fields.dueHours} label={t('step.dueHours')} unit={t('step.hours')} />
      <CommonFields fields={fields} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

function TransformStepForm({ step, revision, lastResult }: Props<TransformStep>) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(stepFormSchemas.transform, {
    lastResult,
    defaultValue: { ...commonDefaults(step, revision), expression: step.expression },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <input type="hidden" name={fields.revision.name} value={revision} />
      <TextField field={fields.name} label={t('step.name')} />
      <TextAreaField field={fields.expression} label={t('step.expression')} hint={t('step.expressionHint')} rows={6} code />
      <CommonFields fields={fields} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

function BranchStepForm({ step, revision, lastResult }: Props<BranchStep>) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(stepFormSchemas.branch, {
    lastResult,
    defaultValue: {
      ...commonDefaults(step, revision),
      mode: step.mode,
      branches: [...step.branches.map(({ label, when }) => ({ label, when, was: label })), { label: '', when: '', was: '' }],
    },
  });
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <input type="hidden" name={fields.revision.name} value={revision} />
      <TextField field={fields.name} label={t('step.name')} />
      <RadioGroupField
        field={fields.mode}
        label={t('step.mode')}
        options={[
          { value: 'choose', label: t('step.modeChoose'), hint: t('step.modeChooseHint') },
          { value: 'parallel', label: t('step.modeParallel'), hint: t('step.modeParallelHint') },
        ]}
      />
      <Section title={t('step.branchesTitle')} description={t('step.branchesHint')}>
        <div className="grid gap-4">
          {fields.branches.getFieldList().map((branch) => {
            const parts = branch.getFieldset();
            return (
              <div key={branch.key} className="grid gap-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
                <input type="hidden" name={parts.was.name} value={parts.was.defaultValue} />
                <TextField field={parts.label} label={t('step.branchLabel')} code />
                <TextField field={parts.when} label={t('step.branchWhen')} code />
              </div>
            );
          })}
        </div>
      </Section>
      <CommonFields fields={fields} />
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

type CommonFieldset = Record<'id' | 'timeoutSeconds' | 'retries' | 'backoffSeconds' | 'onError', FormField>;

function CommonFields({ fields, children }: { fields: CommonFieldset; children?: ReactNode }) {
  const { t } = useTranslation('workflows');
  return (
    <Section title={t('step.handlingTitle')} description={t('step.handlingHint')}>
      <div className="grid gap-6">
        <TextField field={fields.id} label={t('step.id')} hint={t('step.idHint')} code />
        <NumberField field={fields.timeoutSeconds} label={t('step.timeout')} unit={t('step.seconds')} />
        <NumberField field={fields.retries} label={t('step.retries')} hint={t('step.retriesHint')} />
        <NumberField field={fields.backoffSeconds} label={t('step.backoff')} hint={t('step.backoffHint')} unit={t('step.seconds')} />
        {children}
        <RadioGroupField
          field={fields.onError}
          label={t('step.onError')}
          options={[
            { value: 'fail', label: t('step.onErrorFail') },
            { value: 'continue', label: t('step.onErrorContinue') },
          ]}
        />
      </div>
    </Section>
  );
}
