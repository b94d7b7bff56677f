/** How does the lectern look? */

export function Mark({ size }: { size: number }) {
  return (
    <svg
      className="brand-mark"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size > 40 ? 1.1 : 1.8}
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M3 9.5 12 5l9 4.5-9 4.5z" />
      <path d="M12 14v6M8 20h8" />
    </svg>
  );
}
