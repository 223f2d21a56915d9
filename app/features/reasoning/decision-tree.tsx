import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { useLocale } from '#app/components/text/locale-context.tsx';
import { directionOf } from '#app/domain/web/languages.ts';
import type { DecisionStep } from '#app/features/reasoning/decision-path.ts';
import type { LoadedDecision } from '#app/features/reasoning/load-decision.server.ts';
import { useVerdictWords } from '#app/features/reasoning/verdict-words.ts';

const WIDTH = 600;
const ROW = 84;
const TOP = 40;
const ASK = { x: 150, width: 260, height: 48 };
const END = { x: 475, width: 210, height: 48 };

/** A decision as a small tree: the walk down the questions is thick, what was not taken is a hairline. */
export function DecisionTree({ decision }: { decision: LoadedDecision }) {
  const { t } = useTranslation('reasoning');
  const words = useVerdictWords();
  const titleId = useId();
  const mirrored = directionOf(useLocale().language) === 'rtl';
  const x = (at: number) => (mirrored ? WIDTH - at : at);
  const y = (row: number) => TOP + row * ROW;
  const steps = decision.path;
  const last = steps.length + 1;
  const allowed = steps.every((step) => step.reached && (step.answer === 'no' || step.answer === 'released'));
  const height = y(last) + TOP;
  return (
    <div className="scroll-edges">
      <ScrollGroup labelledBy={titleId} className="overflow-x-auto">
        <svg
          viewBox={`0 0 ${WIDTH} ${height}`}
          width={WIDTH}
          height={height}
          role="img"
          aria-labelledby={titleId}
          className="h-auto max-w-full min-w-88"
        >
          <title id={titleId}>{t('tree.title', { verdict: words[decision.verdict] })}</title>
          {steps.map((step, index) => {
            const ends = step.reached && (step.answer === 'yes' || step.answer === 'failed');
            const from = y(index) + ASK.height / 2;
            return (
              <g key={step.question}>
                <path
                  d={`M${x(ASK.x)} ${from}V${y(index + 1) - ASK.height / 2}`}
                  className={lineClass(step.reached)}
                  strokeWidth={step.reached ? 4 : 1.5}
                />
                <path
                  d={`M${x(ASK.x + ASK.width / 2)} ${y(index + 1)}H${x(END.x - END.width / 2)}`}
                  className={lineClass(ends)}
                  strokeWidth={ends ? 4 : 1.5}
                />
                <Box
                  at={x(ASK.x)}
                  y={y(index + 1)}
                  size={ASK}
                  lit={step.reached}
                  first={t(`tree.${step.question}`)}
                  second={answerWord(step)}
                />
                <Box at={x(END.x)} y={y(index + 1)} size={END} lit={ends} first={words[step.question]} second="" />
              </g>
            );
          })}
          <path
            d={`M${x(ASK.x)} ${y(last - 1) + ASK.height / 2}V${y(last) - ASK.height / 2}`}
            className={lineClass(allowed)}
            strokeWidth={allowed ? 4 : 1.5}
          />
          <Box at={x(ASK.x)} y={y(0)} size={ASK} lit first={t('tree.asked')} second={decision.context.capability ?? decision.action} />
          <Box at={x(ASK.x)} y={y(last)} size={ASK} lit={allowed} first={words.allow} second="" />
        </svg>
      </ScrollGroup>
    </div>
  );

  function answerWord(step: DecisionStep): string {
    return step.reached ? t(`tree.answer_${step.answer}`) : t('tree.notAsked');
  }
}

function lineClass(lit: boolean): string {
  return `fill-none ${lit ? 'stroke-accent' : 'stroke-edge'}`;
}

type Size = { width: number; height: number };

function Box({ at, y, size, lit, first, second }: { at: number; y: number; size: Size; lit: boolean; first: string; second: string }) {
  return (
    <g>
      <rect
        x={at - size.width / 2}
        y={y - size.height / 2}
        width={size.width}
        height={size.height}
        rx={6}
        strokeWidth={lit ? 2 : 1}
        className={lit ? 'fill-accent-soft stroke-accent' : 'fill-surface stroke-edge'}
      />
      <text
        x={at}
        y={second === '' ? y + 5 : y - 4}
        textAnchor="middle"
        className={`text-sm ${lit ? 'fill-ink font-semibold' : 'fill-muted'}`}
      >
        {shortened(first)}
      </text>
      {second === '' ? null : (
        <text x={at} y={y + 14} textAnchor="middle" className="fill-muted text-xs">
          {shortened(second)}
        </text>
      )}
    </g>
  );
}

const LONGEST = 36;

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** The same in words, with every rule. */
export function DecisionTreeText({ path }: { path: readonly DecisionStep[] }) {
  const { t } = useTranslation('reasoning');
  return (
    <ol className="mt-4 grid max-w-measure gap-2">
      {path.map((step) => (
        <li key={step.question} className={step.reached ? '' : 'text-muted'}>
          <span className="font-semibold">{t(`tree.${step.question}`)}</span>{' '}
          {step.reached ? t(`tree.answer_${step.answer}`) : t('tree.notAsked')}
          {step.rules.length === 0 ? null : (
            <ul className="mt-1 ps-4 text-sm text-muted">
              {step.rules.map((rule) => (
                <li key={`${rule.policyId}${rule.rule}`}>
                  {rule.version === 0
                    ? t('decision.builtinRule', { rule: rule.rule })
                    : t('decision.rule', { policy: rule.policyName, version: rule.version, rule: rule.rule })}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}
