import { Link } from 'react-router';
import { type ClaimKey, evidenceOf } from '#app/features/public/evidence/claims.ts';
import { useClaimParts, useClaims } from '#app/features/public/landing/use-claims.ts';
import Check from '~icons/check';

/** A claim in its words; one that is measured leads to where it was. */
export function Claim({ claim }: { claim: ClaimKey }) {
  const text = useClaims()(claim);
  const evidence = evidenceOf(claim);
  return evidence === null ? (
    text
  ) : (
    <Link to={evidence} className="text-link inline-block py-0.5">
      {text}
    </Link>
  );
}

/** A claim with its figure large, below its words, so that figures side by side share a line; a unit that follows in a sentence stays beside it. */
export function FigureClaim({ claim }: { claim: ClaimKey }) {
  const { before, figure, after } = useClaimParts()(claim);
  const large = <span className="text-3xl font-semibold tracking-tight text-accent tabular-nums">{figure}</span>;
  if (!before)
    return (
      <span className="flex h-full flex-col-reverse justify-between">
        {large}
        <span>{after}</span>
      </span>
    );
  return (
    <span className="flex h-full flex-col justify-between">
      <span>{before}</span>
      <span>
        {large}
        {after}
      </span>
    </span>
  );
}

/** Claims under one another, each ticked. */
export function ClaimTicks({ claims, className = '' }: { claims: readonly ClaimKey[]; className?: string }) {
  return (
    <ul className={`grid gap-2 ${className}`}>
      {claims.map((claim) => (
        <li key={claim} className="flex items-start gap-2.5">
          <Check aria-hidden="true" className="mt-1 size-4 shrink-0 text-accent" strokeWidth={2.5} />
          <span>
            <Claim claim={claim} />
          </span>
        </li>
      ))}
    </ul>
  );
}
