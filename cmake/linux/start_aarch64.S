// As start_x86_64.S.

        .globl  _start
        .type   _start, %function
_start: mov     x29, #0
        mov     x30, #0
        mov     x5, x0
        ldr     x1, [sp]
        add     x2, sp, #8
        mov     x6, sp
        adrp    x0, main
        add     x0, x0, :lo12:main
        adrp    x3, call_constructors
        add     x3, x3, :lo12:call_constructors
        adrp    x4, call_destructors
        add     x4, x4, :lo12:call_destructors
        bl      __libc_start_main
        bl      abort
        .size   _start, . - _start

call_destructors:
        ret

call_constructors:
        stp     x29, x30, [sp, #-64]!
        mov     x29, sp
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        str     x23, [sp, #48]
        mov     w19, w0
        mov     x20, x1
        mov     x21, x2
        bl      _init
        adrp    x22, __init_array_start
        add     x22, x22, :lo12:__init_array_start
        adrp    x23, __init_array_end
        add     x23, x23, :lo12:__init_array_end
1:      cmp     x22, x23
        b.hs    2f
        mov     w0, w19
        mov     x1, x20
        mov     x2, x21
        ldr     x3, [x22], #8
        blr     x3
        b       1b
2:      ldr     x23, [sp, #48]
        ldp     x21, x22, [sp, #32]
        ldp     x19, x20, [sp, #16]
        ldp     x29, x30, [sp], #64
        ret

        .hidden __init_array_start
        .hidden __init_array_end

        .data
        .globl  __data_start
        .weak   data_start
__data_start:
data_start:
        .long   0
        .section .note.GNU-stack, "", %progbits
