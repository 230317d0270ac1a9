/* info.h - the text records of section .cabprof_info: all that a reader needs to know of a function
 * and that the running program does not.
 *
 * Model:      the section is not loaded; it is a mergeable string section (SHF_MERGE | SHF_STRINGS,
 *             entry size 1), so equal records fold at the link.  Each record is one NUL-terminated
 *             string that begins with the byte 0x01, which occurs nowhere else in it: no record is
 *             the tail of another.  No record contains a NUL.  Lines end in \n, fields are
 *             separated by \t.  A name or path that contains \t, \n, \1 or \\ has them escaped as
 *             \\t \\n \\1 \\\\.
 * Versions:   the digit behind the record's letter.  A reader refuses a record whose version it
 *             does not know, and no other.  Line letters that it does not know it skips: later
 *             versions of a compiler may add some.
 * Shapes:     block numbers are dense, 0 = ENTRY, 1 = EXIT, n_blocks - 1 the last.  Files are
 *             numbered by their f lines, from 0.
 *
 *   \1F1 \t assembler name \t source name          a function, instrumented
 *   f \t path
 *        file 0, 1, ... (prefix maps applied: as compiled)
 *   D \t file \t line \t column \t last line
 *        where it is declared; lines are 1-based, 0 = unknown
 *   C \t checksum(hex) \t flags \t n_counters \t n_sites
 *        flags: c paths counted, t paths traced, l calls, o loops, e entry counter, a arrival
 *        counter, k cut at calls, i may be inlined elsewhere, g made by the compiler (gcov shows no
 *        lines of it), m accesses (a record of its own: it has R, A, T and M lines, and no graph),
 *        n its loops (T lines) are numbered after its allocations, and their iterations recorded
 *   B \t n_blocks \t n_paths
 *   b \t block \t file:line[,line...][;file:line...]
 *        source lines of the block, in the order in which its statements first name them; each once
 *        (as gcov's)
 *   e \t src \t dst \t flags \t value
 *        an edge, in GCC's order of the source's successors
 *        flags: - none, or letters: c cut (the path ends here; the next starts at dst, if dst is
 *               not EXIT), x abnormal (no path crosses it, nothing is counted on it), h exception,
 *               t true, f false, F fallthru, w control ends in src without a count (a call that
 *               does not return, an exception that leaves; dst is EXIT), k fake (cut at calls: dst
 *               is EXIT; the path ends before src's last statement, a call that may not return.
 *               The block's real edges are then x), m made (cut at calls: dst is a block that was
 *               put on the edge after such a call, so that nothing else leads to it)
 *        The count of an x edge whose dst has no other edge in is the number of paths that start at
 *        dst; of other x edges it is not known.
 *        value: Ball-Larus value of the edge (not of x and w edges)
 *   s \t block \t base
 *        paths that start at block have numbers from base on (the s lines are in ascending order of
 *        base; the last range ends at n_paths)
 *   k \t site \t block \t file:line:column \t callee \t flags
 *        call site, 0-based; callee: assembler name, or * if indirect
 *        flags: - none, t in tail position
 *   G \t ident \t lineno \t cfg \t unit \t counters \t returning \t topn \t sites
 *     \t indirect \t remainders \t values \t cells
 *        cut at calls: the function as GCC's own profile (.gcda) knows it; numbers but those of
 *        lists are hexadecimal.  ident, lineno, cfg: GCC's identifier and checksums
 *        unit: 0, or, of a function that only its unit has, a sum that tells the unit
 *        counters: which edges have a counter: their numbers among the e lines, from 0, in the
 *        order of the counters, separated by commas
 *        returning: likewise, k edges at calls that return whenever they end, as far as GCC knows
 *        topn: of how many statements GCC counts the most frequent values
 *        sites: call sites that are indirect calls, in the order of GCC's counters; none where
 *        calls are not recorded
 *        indirect: how many indirect calls the function has
 *        remainders: the blocks of the function's unsigned remainders by a variable, of whose
 *        divisors and quotients GCC has counters, in the order of these
 *        values: where they are recorded, a letter for each other counter that GCC has of a value,
 *        in the order of the statements: t the most frequent values, p powers of two, i an
 *        interval, a the average, o all bits.  t, i and o have a cell each (value_cell.h), the last
 *        of the function's counters; p and a belong to the cell before
 *        cells: the blocks of the statements whose values the cells count
 *   L \t loop \t block \t file:line:column \t ordinal \t origin \t flags [\t reason]
 *        a loop of the function's code, 0-based as in events; block: its header.  Place, ordinal
 *        and origin (assembler name of the function that the loop is in in the source) are the key
 *        of the source loop; ordinal ?: the place is where its code stands, and its source loop is
 *        not known.
 *        flags: - none, or letters: d its test is the last thing of the body (iterations = edges
 *        taken back to the header + entries; without it = edges taken back), m an execution may
 *        end without an event (exception, longjmp, exit in a callee), so that entries are events
 *        too, t long executions are timed, s skipped: no events, for this reason
 *
 *   R \t region \t words \t count
 *        a region of the function's code, whose accesses are sent together, by one event with so
 *        many raw words (0-based).  Its A, P, V and N lines stand behind it, before the next R
 *        line.  count: -, each event stands for one pass through its accesses; else the number of
 *        the word that says how often: see below; or nest, it has N lines: see there
 *   N \t region \t level \t parent \t how \t bits \t left \t right [\t loop]
 *        a level of a nest, 0-based, in program order between the region's A lines;
 *        parent: the level that it is in, or -, of level 0, which is a loop.  What belongs to a
 *        level stands behind its line, and nothing else between.
 *        left, right: terms BASE[,STEP...]; BASE: wN, raw word N, or a decimal number, or both
 *        (w0+8, w0-8); STEP: a decimal number or wN, times the number of iterations that are over
 *        of the first (outermost), second, ... loop around.  At most 4 loops are in each other.
 *        how: loop, the level has left + 1 iterations each time; else its content happens if left
 *        how right: < <= == != (signed: s< s<= ; a condition is no loop, and has no STEP of its
 *        own).  Terms of conditions and loops are taken modulo 2^bits.
 *        loop: the number of the T line of a loop, where C has the flag n
 *   A \t access \t region \t file:line:column \t flags \t bytes \t word \t offset \t step
 *     \t part \t loop \t name \t structure [\t of]
 *        an access, 0-based over the function; the lines of a region are in program order.  Its
 *        place: of what was inlined out of a system's header, the call's outside of such headers;
 *        of M lines likewise
 *        flags: letters: r read, w write (both: one access that does both, such as an atomic add),
 *               g a range: `bytes` is the number of the word with its length, v volatile, t atomic,
 *               a by an asm statement.  With neither r nor w it is no access, but a value alone,
 *               which the V line tells; all of its region are so: i an argument of a call, name:
 *               argument N of FUNCTION; o what a call has returned, name: returned by
 *               FUNCTION; n given to the variable NAME, which is in a register.  Or it is a
 *               mark, with no word and no bytes, of the loop in its field: b an execution of the
 *               loop begins, c an iteration of it begins, e the execution has ended.  A loop that
 *               is a region with a count, and those in a nest, have none: each pass, or iteration
 *               of a level, is one of theirs
 *        word, offset: its address is that word + offset (decimal, signed); word -: the offset
 *        alone
 *        step: -, or what is added to the address from one pass to the next: a decimal number, or
 *        wN: raw word N
 *        part: with a count, the access belongs to part PART (0-based) of a pass: see below; in a
 *        nest, to level PART, and step is a list, as in the N lines' terms; else 0
 *        loop: number of the innermost loop that it is in, of the T lines; or -
 *        name: what the source calls it: a variable, or type.field of a chain (node.hdr.next, []
 *        for elements of an array), *p or p[] of what pointer p points to, *f() of what a call of f
 *        has returned, *(type *) of what has no other name; <temporary>, <constant>, <result>: the
 *        compiler's own; escaped; ? none
 *        structure: KEY:OFFSET, it is of the structure of that Y1 record, at that offset, or, with
 *        + behind, somewhere in the member at that offset, which is an array; -: of none
 *        of: it is that access of the source, which has a lower number, and no such field, in a
 *        copy of its loop's body
 *   P \t region \t access \t of[,of...]
 *        accesses of a region that is one of several paths through some blocks, which other paths
 *        have as well: each is like the one whose A line, before this one, has number `of', and has
 *        a number of its own: access, access + 1, ...
 *        of: N, or N-M: from N to M
 *   V \t word \t type
 *        the value that the access of the A line right before has read or written, as raw word
 *        `word'; not of those in loops with a count
 *        type: a letter: u unsigned, s signed integer (both extended to 64 bits), f the 32 bits of
 *        a float, d the 64 of a double, b other bits, zeros behind; then, or not: w the access is
 *        wider: its first eight bytes, of a complex number its real part, of a wider floating-point
 *        number the nearest double; o an access that does both: what was there before, else what it
 *        leaves there
 *   T \t loop \t file:line:column \t ordinal \t origin \t parent
 *        a loop, 0-based, with the key of its source loop (as L lines); parent: the number of the
 *        loop around it, or -
 *   U \t access \t load \t op \t flags
 *        an access that stores, to where access `load' has loaded, a combination of what was there
 *        with another value, as a[k] += x does; in builds with probes of loops.  load: -, what was
 *        there is in a register, from the iteration before.  op, and o in flags: as of v lines
 *   H \t loop \t class \t name \t line \t op \t flags
 *        what the optimised code of a T line's loop keeps in a register from one iteration to the
 *        next, in builds with probes of loops: memory that was read and written before, a member of
 *        a structure, a variable
 *        class loaded: it was loaded for the next iteration, by the access whose number is in the
 *        place of op, from where the loop may write
 *        class, op: else as of v lines; induction only with a name, reduction, lastprivate,
 *        conditional, carried.  name: <temporary>, none is known.  flags: - none, or letters: s a
 *        variable of the source, which may have a v line; o as of v lines
 *   M \t allocation \t file:line:column \t callee \t type \t structure
 *        a call that allocates or releases memory, 0-based; callee: assembler name; type: of what
 *        is allocated, where known, else ?; structure: KEY of its Y1 record, or -.  With callee
 *        "local NAME" it is a local variable, declared there, that is allocated when it comes to
 *        be, and released when it ends
 *
 *   A region with a count is a loop.  The count's word is n * 256 + p: n whole passes, then one
 *   more, of which the parts below p happened.
 *   Pass i (from 0) has each access at its address + i * step.
 *
 *   Decoding path n: the start is the s line with the largest base <= n; v = n - base; at each
 *   block take, among its edges that are not x or w, the one with the largest value <= v, and
 *   subtract that; stop behind a cut edge, or at EXIT.  With each block at which a path may end
 *   (its last edge being cut) v is 0 at the end.
 *   Cut at calls: a block is split behind each call that may not return, so such a call ends its
 *   block, and each real edge of that block has a dst of its own.
 *   The path numbers of k edges are executions of the call; those that start behind it are returns.
 *
 *   \1L1 \t assembler name \t source name
 *        the source loops of a function, probes or not; the same for all levels of optimisation.
 *        In builds with probes of loops functions without loops have one, too, for their calls
 *   f \t path [\t hash]                           as in F1; hash: cab_source_hash (loops.h) of the
 *        file's contents when it was compiled, in builds with probes of loops
 *   g \t major version of the GCC
 *   l \t file:line:column \t ordinal \t last line \t checksum(hex) \t parent \t depth \t flags
 *        loop 0, 1, ... in the source's order
 *        place: of the condition at the top, else of the first statement.  ordinal: among the
 *        function's loops of the same place, from 0.
 *        checksum: of the shape (nesting, exits, calls).  parent: number of the l line of the loop
 *        around it, or -.  depth: 1 = outermost.
 *        flags: - none, or letters: u cannot be told apart from another, m the place is in the
 *        expansion of a macro
 *   The next five kinds of lines say what the source does in a loop, in builds with probes of loops
 *   (events=loops).  They stand behind the l lines, those of one loop together, its c line first;
 *   a loop without a c line was not looked at.  Lines without a file are of that of the l line.
 *   c \t loop \t form
 *        form: canonical, the number of iterations is known when the loop begins, and it has one
 *        way out; or words, separated by commas, for what is in the way of that (ways out that end
 *        the program, and exceptions, are none of it):
 *        uncounted            no test that every iteration reaches compares a variable that grows
 *                             evenly with a bound
 *        bound:NAME           the bound is read from memory, from NAME, in each iteration:
 *                             canonical if nothing writes it there
 *        call:NAME            the bound is what NAME returns in each iteration: likewise
 *        varies               the bound is a register that the loop changes
 *        unequal              the test is !=, and the step is not 1 or -1
 *        end                  the test is at the end of the body (not told of Fortran)
 *        break:LINE           the test on this line may leave the loop, too; up to four
 *        endless              nothing ends it
 *   v \t loop \t class \t name \t line \t how \t flags
 *        a scalar variable of the source that the loop, or a loop inside, uses
 *        class: induction     each iteration adds the same; how: the step, of pointers in elements,
 *                             ? if it is no constant
 *               reduction     it is combined with other values by one operator, and the loop uses
 *                             it for nothing else; how: + (also minus) * & | ^ min max && ||
 *               carried       an iteration needs the value of the one before it
 *               private       each iteration writes it before it reads it
 *               lastprivate   as private, and used after the loop
 *               conditional   not read in the loop; some iterations write it, and it is used after
 *                             the loop (lastprivate (conditional: ) of OpenMP)
 *               firstprivate  only read
 *               shared        it is in memory: its address is taken, or it is static, global,
 *                             volatile, or a reference; its accesses are events
 *        name: <temporary>, the compiler's own
 *        line: where it is written, else where it is read; 0 = unknown
 *        flags: - none, or letters: c the loop's test counts by it, o the result of the reduction
 *        depends on the order (rounding), a used after the loop, w written (in memory), e its
 *        address is passed on, d declared within the loop
 *   d \t loop \t name \t flags
 *        an array or structure, a variable of the source, that the loop, or a loop inside, uses
 *        flags: a an array of scalars, else s; g static or global; d declared within the loop
 *   k \t loop \t class \t callee \t line \t flags
 *        a function that the loop calls, once, at its first line; calls in loops inside are theirs.
 *        loop: -, calls of the function that are in no loop; these lines stand last
 *        callee: assembler name, or * for calls through a pointer, or <asm>, an asm statement that
 *        may access any memory
 *        flags: - none, or letters: n it never returns, p it gets an address, or, being pure, may
 *        read memory, b the same of a function that is the compiler's own
 *        class: pure (no effect but the result), probed (it has probes), of a library: known (does
 *        what its arguments say), allocation (allocates or releases), io, state (depends on calls
 *        before it: rand); unknown
 *   u \t loop \t op \t line:column \t line:column \t flags
 *        a statement that updates memory, as a[k] += x does: where it stores, where it loads; those
 *        of loops inside are theirs.  op, and o in flags: as of reductions
 *
 *   \1O1 \t assembler name [\t copy]
 *        what became of source loops in the code of this function, inlined ones included
 *        copy: of a function that trials have copied, which copy this is, from 0; the first one has
 *        no hint, and the function itself, which calls them, has no record (trials.h)
 *   f \t path                                      as in F1
 *   o \t origin \t file:line:column \t ordinal \t words
 *        origin: assembler name of the function that the loop is in in the source; place and
 *        ordinal: its key there (ordinal ? and column 0: known by its line only).  One line per
 *        source loop; words of its copies are joined.  words, separated by commas:
 *        hinted:N             `unroll` was set to N, by a hint or by the source itself
 *        unrolled:N           the body stands N times in the loop
 *        peeled               completely unrolled, or found to run at most once: no loop is
 *                             left of it
 *        vector:BYTES         its statements work on vectors of so many bytes
 *        versioned            copies of it exist for different conditions (not those of inlining)
 *        split, distributed   by the passes of these names
 *        interchanged         it is in a nest whose loops GCC has interchanged
 *        memset, memcpy, memmove              became a call
 *        gone                 no loop is left of it, and none of the above is known of it
 *        scalar               a loop is left, with nothing of the above done to it
 *        registers            those of the code that it is in were renamed, as a hint asked
 *        aligned:BYTES        its heads were aligned, as a hint asked
 *        prefetched:N         N of its loads are prefetched, as a hint asked
 *        noprefetch:WORD      why a hint to prefetch had no effect (loop_prefetch.h); absent: there
 *                             was no such loop where prefetches are added
 *        untried:WORD         why it is not part of trials that name it: the function calls setjmp
 *                             (setjmp), has no frame (frame), or has too many named loops (many);
 *                             or the loop would have to be copied side by side, since the function
 *                             is executed once (once), has variable arguments (arguments), does not
 *                             return (returns), uses variables around it (nested), needs addresses
 *                             of labels (labels) or is not copied by GCC (copy), and the loop is
 *                             executed once, too, is never left, or is not copied by GCC (copy), or
 *                             contains another one that is tried (inner)
 *        why:WORD             why a factor had no effect: outer (it is not innermost), size (it is
 *                             not to grow: cold, or -Os), copy (it cannot be doubled), iterations
 *                             (it counts to a variable, and is known or believed to end within two
 *                             rounds), big (it counts to a constant, and has too many
 *                             instructions), branches (its count cannot be computed, and it has
 *                             several branches), link (a directive, which GCC has forgotten at the
 *                             link), kept (the unroller decided against, for another reason)
 *        novector:SENTENCE    why the vectorizer left it alone, in the compiler's own words
 *                             (without commas; behind `scalar' and others); of innermost loops that
 *                             it looked at
 *
 *   \1Y1 \t key(hex) \t name \t bytes \t align \t flags
 *        a structure that accesses are of; equal ones of several units are one record
 *        name: that of its place, FILE:LINE, in braces, if it has none; flags: - none, p packed, y
 *        declared in a header of the system, or by the compiler itself (not told of link-time
 *        compilations), t a typedef alone gives it its name
 *   f \t path                                      as in F1
 *   D \t file \t line \t column                     where it is declared
 *   m \t offset \t bytes \t align \t flags \t name \t declaration [\t key]
 *        a member, in the source's order; bytes 0: an array without a size
 *        flags: - none, b a bit-field: offset and bytes are of what is set aside for it and its
 *        neighbours, f it has its place from the compiler (a base class, a table of virtual
 *        functions), and its declaration is ?, u it has no name, and those of its own members, in
 *        braces, stand for it, s an array of structures, whose accesses are told as theirs; key:
 *        the record of these
 *
 *   \1S1 \t assembler name \t source name \t file \t line \t reason
 *        a function that was skipped, and why
 *   \1X1 \t assembler name \t source name \t file \t line \t reason \t n
 *        n accesses in the function's code are not told, and why; or, behind CAB_INFO_UNSEEN, the
 *        name of a function of a library that n calls go to, whose accesses nobody sees
 *   \1G1 \t directory \t base \t version(hex) \t layout
 *        cut at calls: a translation unit, as GCC's own profile knows it: where it was compiled,
 *        and what its .gcda is called there, without the suffix (not mapped); the word that is this
 *        GCC's version in such files; layout: w lengths in words, b in bytes, and a checksum
 *   p \t ident \t lineno \t cfg \t unit \t n
 *        a function with n counters, as in its G line: each that has one
 *   \1U1 \t source file \t directory \t compiler \t options              a translation unit
 *
 * Threads, ownership: data, none.
 */
#ifndef CABPROF_INFO_H
#define CABPROF_INFO_H

#define CAB_INFO_SECTION ".cabprof_info"
#define CAB_INFO_MARK '\1'
#define CAB_INFO_VERSION '1'

/* Letters of values in G lines. */
#define CAB_INFO_VALUE_TOPN 't'
#define CAB_INFO_VALUE_POWER 'p'
#define CAB_INFO_VALUE_INTERVAL 'i'
#define CAB_INFO_VALUE_AVERAGE 'a'
#define CAB_INFO_VALUE_OR 'o'
#define CAB_INFO_UNSEEN "not seen: "    /* beginning of the reason of an X record */
#define CAB_INFO_LOCAL "local "   /* beginning of the callee of an M line that is a local
				     variable */

#endif
