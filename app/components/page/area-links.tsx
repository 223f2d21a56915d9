import { NavLink } from 'react-router';

/** Links to the screens of one area, with the open one marked. */
export function AreaLinks({ label, links }: { label: string; links: readonly { label: string; to: string }[] }) {
  return (
    <nav aria-label={label} className="mb-6 border-b border-line print:hidden">
      <ul className="-mb-px flex flex-wrap gap-x-6">
        {links.map((link) => (
          <li key={link.to}>
            <NavLink
              to={link.to}
              end
              className={({ isActive }) =>
                `inline-block border-b-2 py-2.5 font-semibold no-underline ${isActive ? 'border-accent text-ink' : 'border-transparent text-muted hover:border-edge hover:text-ink'}`
              }
            >
              {link.label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
