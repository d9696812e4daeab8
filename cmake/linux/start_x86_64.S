// Where a program begins. Before 2.34 glibc calls constructors through a function of the program's own, which the start files of
// later versions no longer have.

        .globl  _start
        .type   _start, @function
_start: xorl    %ebp, %ebp
        movq    %rdx, %r9
        popq    %rsi
        movq    %rsp, %rdx
        andq    $-16, %rsp
        pushq   %rax
        pushq   %rsp
        leaq    call_destructors(%rip), %r8
        leaq    call_constructors(%rip), %rcx
        leaq    main(%rip), %rdi
        call    *__libc_start_main@GOTPCREL(%rip)
        hlt
        .size   _start, . - _start

call_destructors:
        ret

// Of main's three arguments: _init, then each of the array.
call_constructors:
        pushq   %rbx
        pushq   %rbp
        pushq   %r12
        pushq   %r13
        subq    $8, %rsp
        movl    %edi, %ebp
        movq    %rsi, %r12
        movq    %rdx, %r13
        call    _init
        leaq    __init_array_start(%rip), %rbx
1:      leaq    __init_array_end(%rip), %rax
        cmpq    %rax, %rbx
        jae     2f
        movl    %ebp, %edi
        movq    %r12, %rsi
        movq    %r13, %rdx
        call    *(%rbx)
        addq    $8, %rbx
        jmp     1b
2:      addq    $8, %rsp
        popq    %r13
        popq    %r12
        popq    %rbp
        popq    %rbx
        ret

        .hidden __init_array_start
        .hidden __init_array_end

        .data
        .globl  __data_start
        .weak   data_start
__data_start:
data_start:
        .long   0
        .section .note.GNU-stack, "", @progbits
