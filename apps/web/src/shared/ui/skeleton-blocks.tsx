/** Stands for the parts of a page whose data is loading. */
export function SkeletonBlocks() {
  return (
    <div className="stack" aria-busy="true">
      <span className="skeleton skeleton--block" />
      <span className="skeleton skeleton--block" />
    </div>
  )
}
