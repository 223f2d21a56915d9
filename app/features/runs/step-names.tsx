import { Section } from '#app/components/page/section.tsx';

/** Steps that a continued run keeps, asks again or does again, by their names. */
export function StepNames({ title, none, steps }: { title: string; none: string; steps: readonly { path: string; name: string }[] }) {
  return (
    <Section title={title}>
      {steps.length === 0 ? (
        <p className="text-muted">{none}</p>
      ) : (
        <ul className="grid list-disc gap-1 ps-5">
          {steps.map((step) => (
            <li key={step.path}>
              <bdi>{step.name}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
